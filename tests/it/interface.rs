//! The public interface: every public item, by its public path, as a snapshot.
//!
//! A change to the interface changes `tests/it/snapshots/it__interface__interface.snap`.
//! CONTRIBUTING.md describes how to review snapshots.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;

use syn::spanned::Spanned;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, Type, UseTree, Visibility};

/// A module's path from the root; the root's is empty.
type ModulePath = Vec<String>;
/// The place of a definition: its module, and its name there.
type Definition = (ModulePath, String);

#[test]
fn interface() {
    insta::assert_snapshot!(listed("mime_charset", "src/lib.rs"));
}

#[test]
fn interface_of_archives() {
    insta::assert_snapshot!(listed("mime_charset_archive", "archive/src/lib.rs"));
}

/// The public items of a crate, one per line, with counts.
fn listed(name: &str, root: &'static str) -> String {
    // The Rust parser recurses, so it needs more stack than tests have.
    let listing = || Interface::of(&Sources::read(Path::new(root))).lines;
    let stack = thread::Builder::new().stack_size(16 << 20);
    let interface = stack.spawn(listing).unwrap().join().unwrap();
    let mut counts = BTreeMap::new();
    for line in &interface {
        let kind = kind_of(line);
        *counts.entry(kind).or_insert(0) += 1;
    }
    let count = |kind| counts.get(kind).copied().unwrap_or(0);
    let (types, functions, methods) = (count("type"), count("function"), count("method"));
    assert!(types > 20 && functions > 10 && methods > 50, "{counts:?}");
    let path = |line: &String| line.replacen("mime_charset::", &format!("{name}::"), 1);
    let lines: Vec<_> = interface.iter().map(path).collect();
    format!(
        "{types} types, {functions} functions, {methods} methods\n\n{}",
        lines.join("\n")
    )
}

/// The kind of item in a line of the list.
fn kind_of(line: &str) -> &'static str {
    let (path, what) = line.split_once(": ").unwrap();
    let is_of_type = path
        .rsplit("::")
        .nth(1)
        .is_some_and(|owner| owner.starts_with(char::is_uppercase));
    let words = what.trim_start_matches("#[non_exhaustive] ");
    match words.split(['(', '<']).next().unwrap() {
        head if head.starts_with("impl") => "impl",
        head if head.starts_with("struct ") || head.starts_with("enum ") => "type",
        head if head.starts_with("trait ") || head.starts_with("type ") => "type",
        head if head.starts_with("fn ") || head.contains(" fn ") => {
            if is_of_type {
                "method"
            } else {
                "function"
            }
        }
        _ => "other",
    }
}

/// The library's modules as written, without tests.
struct Sources {
    modules: BTreeMap<ModulePath, Vec<Item>>,
}

impl Sources {
    fn read(root: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let folder = root.parent().unwrap();
        let mut files = vec![(ModulePath::new(), root.to_path_buf())];
        while let Some((path, file)) = files.pop() {
            let text = fs::read_to_string(&file).unwrap();
            let mut inline = vec![(path, syn::parse_file(&text).unwrap().items)];
            while let Some((path, mut items)) = inline.pop() {
                items.retain(|item| !is_test(attributes(item)));
                for item in &mut items {
                    let Item::Mod(module) = item else { continue };
                    let mut child = path.clone();
                    child.push(module.ident.to_string());
                    if let Some((_, items)) = &mut module.content {
                        inline.push((child, std::mem::take(items)));
                        continue;
                    }
                    let stem = folder.join(child.join("/"));
                    let file = stem.with_extension("rs");
                    let file = if file.exists() {
                        file
                    } else {
                        stem.join("mod.rs")
                    };
                    files.push((child, file));
                }
                modules.insert(path, items);
            }
        }
        Sources { modules }
    }

    /// The target of a path written in a module; `None` for items of other crates.
    fn resolve(&self, module: &[String], path: &[String]) -> Option<Definition> {
        let (first, rest) = path.split_first()?;
        let below = |module: &[String], name: &String| {
            let mut child = module.to_vec();
            child.push(name.clone());
            Some(child).filter(|child| self.modules.contains_key(child))
        };
        let start = match first.as_str() {
            "crate" => Some(ModulePath::new()),
            "self" => Some(module.to_vec()),
            "super" => Some(module[..module.len() - 1].to_vec()),
            _ if !rest.is_empty() => below(module, first),
            _ => None,
        };
        if let Some(start) = start {
            return self.resolve_in(&start, rest);
        }
        self.find(module, first)
            .and_then(|(found, name)| match rest {
                [] => Some((found, name)),
                // The name of a module.
                _ => self.resolve_in(&below(&found, &name)?, rest),
            })
    }

    fn resolve_in(&self, module: &[String], path: &[String]) -> Option<Definition> {
        match path {
            [name] => self.find(module, name),
            _ => self.resolve(module, path),
        }
    }

    /// The definition of a name in a module, local or imported by `use`.
    fn find(&self, module: &[String], name: &str) -> Option<Definition> {
        let items = self.modules.get(module)?;
        if items
            .iter()
            .any(|item| name_of(item).as_deref() == Some(name))
        {
            return Some((module.to_vec(), name.to_owned()));
        }
        items.iter().find_map(|item| {
            let Item::Use(item) = item else { return None };
            let used = used(&item.tree);
            let (path, _) = used.iter().find(|(_, visible)| visible == name)?;
            (path.len() > 1 || path[0] != name).then(|| self.resolve(module, path))?
        })
    }
}

/// The list itself.
struct Interface {
    lines: BTreeSet<String>,
}

impl Interface {
    fn of(sources: &Sources) -> Self {
        // The public paths of each definition.
        let mut paths: BTreeMap<Definition, BTreeSet<ModulePath>> = BTreeMap::new();
        let mut lines = BTreeSet::new();
        let mut open = vec![ModulePath::new()];
        while let Some(module) = open.pop() {
            for item in &sources.modules[&module] {
                if !is_public(item) {
                    continue;
                }
                if let Item::Use(item) = item {
                    for (path, name) in used(&item.tree) {
                        let definition = sources
                            .resolve(&module, &path)
                            .unwrap_or_else(|| panic!("{path:?} in {module:?}"));
                        let public = [module.as_slice(), &[name]].concat();
                        paths.entry(definition).or_default().insert(public);
                    }
                    continue;
                }
                let Some(name) = name_of(item) else { continue };
                let public = [module.as_slice(), std::slice::from_ref(&name)].concat();
                if matches!(item, Item::Mod(_)) {
                    open.push(public.clone());
                }
                let definition = (module.clone(), name);
                paths.entry(definition).or_default().insert(public);
            }
        }
        // The longest path is the page; the others are listed as its aliases.
        let mut pages = BTreeMap::new();
        for (definition, paths) in &paths {
            let page = paths.iter().max_by_key(|path| path.len()).unwrap();
            pages.insert(definition.clone(), written(page));
            for other in paths.iter().filter(|path| *path != page) {
                lines.insert(format!("{}: use {}", written(other), written(page)));
            }
        }
        for (module, items) in &sources.modules {
            for item in items {
                if let Item::Impl(item) = item {
                    add_impl(&mut lines, sources, &pages, module, item);
                } else if let Some(name) = name_of(item)
                    && let Some(page) = pages.get(&(module.clone(), name))
                {
                    add_item(&mut lines, page, item);
                }
            }
        }
        Interface { lines }
    }
}

fn written(path: &[String]) -> String {
    format!("mime_charset::{}", path.join("::"))
}

fn add_item(lines: &mut BTreeSet<String>, page: &str, item: &Item) {
    let mark = if has(attributes(item), "non_exhaustive") {
        "#[non_exhaustive] "
    } else {
        ""
    };
    for name in derives(attributes(item)) {
        lines.insert(format!("{page}: impl {name}"));
    }
    let signature = match item {
        Item::Struct(item) => {
            for field in &item.fields {
                if matches!(field.vis, Visibility::Public(_)) {
                    let name = field.ident.as_ref().map_or("0".into(), ToString::to_string);
                    lines.insert(format!("{page}::{name}: {}", text(&field.ty)));
                }
            }
            let is_unit = matches!(item.fields, Fields::Unit);
            let generics = text(&item.generics);
            let unit = if is_unit { ";" } else { "" };
            format!("struct {}{generics}{unit}", item.ident)
        }
        Item::Enum(item) => {
            for variant in &item.variants {
                lines.insert(format!(
                    "{page}::{}: variant {}",
                    variant.ident,
                    text(variant)
                ));
            }
            format!("enum {}{}", item.ident, text(&item.generics))
        }
        Item::Trait(item) => {
            for inner in &item.items {
                if let TraitItem::Fn(function) = inner {
                    let name = &function.sig.ident;
                    lines.insert(format!("{page}::{name}: {}", text(&function.sig)));
                }
            }
            format!("trait {}{}", item.ident, text(&item.generics))
        }
        Item::Fn(item) => text(&item.sig),
        Item::Const(item) => format!("const {}: {}", item.ident, text(&item.ty)),
        Item::Static(item) => format!("static {}: {}", item.ident, text(&item.ty)),
        Item::Mod(item) => format!("mod {}", item.ident),
        Item::Type(item) => format!("type {} = {}", item.ident, text(&item.ty)),
        _ => panic!("{page} is of a kind that this list does not know"),
    };
    lines.insert(format!("{page}: {mark}{signature}"));
}

fn add_impl(
    lines: &mut BTreeSet<String>,
    sources: &Sources,
    pages: &BTreeMap<Definition, String>,
    module: &[String],
    item: &ItemImpl,
) {
    let page_of = |path: &syn::Path| pages.get(&sources.resolve(module, &segments(path))?);
    let of_type = type_path(&item.self_ty).and_then(page_of);
    let Some((_, of_trait, _)) = &item.trait_ else {
        for inner in of_type.iter().flat_map(|_| &item.items) {
            match inner {
                ImplItem::Fn(inner) if matches!(inner.vis, Visibility::Public(_)) => {
                    let (page, name) = (of_type.unwrap(), &inner.sig.ident);
                    lines.insert(format!("{page}::{name}: {}", text(&inner.sig)));
                }
                ImplItem::Const(inner) if matches!(inner.vis, Visibility::Public(_)) => {
                    let (page, name) = (of_type.unwrap(), &inner.ident);
                    lines.insert(format!("{page}::{name}: const {}", text(&inner.ty)));
                }
                _ => {}
            }
        }
        return;
    };
    // A trait of ours that is not public.
    let ours = sources.resolve(module, &segments(of_trait));
    if ours.is_some_and(|definition| !pages.contains_key(&definition)) {
        return;
    }
    // `impl PartialEq<FieldText> for str` is listed under FieldText.
    let arguments = of_trait.segments.iter().flat_map(|it| match &it.arguments {
        syn::PathArguments::AngleBracketed(list) => list.args.iter().collect(),
        _ => Vec::new(),
    });
    let of_argument = arguments.filter_map(|argument| match argument {
        syn::GenericArgument::Type(it) => type_path(it).and_then(page_of),
        _ => None,
    });
    if let Some(page) = of_type.or(of_argument.into_iter().next()) {
        let (generics, of_trait, of) = (&item.generics, text(of_trait), text(&*item.self_ty));
        lines.insert(format!(
            "{page}: impl{} {of_trait} for {of}",
            text(generics)
        ));
    }
}

/// The path of a type, ignoring references.
fn type_path(it: &Type) -> Option<&syn::Path> {
    match it {
        Type::Path(it) => Some(&it.path),
        Type::Reference(it) => type_path(&it.elem),
        _ => None,
    }
}

fn segments(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|it| it.ident.to_string())
        .collect()
}

/// The source text of an item, in one line.
fn text(it: &impl Spanned) -> String {
    let source = it.span().source_text().unwrap_or_default();
    let words = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let words: Vec<_> = words.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    line.replace("( ", "(")
        .replace(", )", ")")
        .replace("< ", "<")
        .replace(", >", ">")
}

/// The imports of a `use`: each path, and its local name.
fn used(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(it) => {
            let mut inner = used(&it.tree);
            for (path, name) in &mut inner {
                if name == "self" {
                    *name = it.ident.to_string();
                    path.clear();
                }
                path.insert(0, it.ident.to_string());
            }
            inner
        }
        UseTree::Name(it) => vec![(vec![it.ident.to_string()], it.ident.to_string())],
        UseTree::Rename(it) => vec![(vec![it.ident.to_string()], it.rename.to_string())],
        UseTree::Group(it) => it.items.iter().flat_map(used).collect(),
        UseTree::Glob(_) => vec![(vec!["*".into()], "*".into())],
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|it| it.path().is_ident(name))
}

/// Whether an item is compiled only for tests or examples.
fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |it: &Attribute| matches!(text(it).as_str(), "#[cfg(test)]" | "#[cfg(doctest)]");
    attributes.iter().any(is_test)
}

fn derives(attributes: &[Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("derive")) {
        let add = |inner: syn::meta::ParseNestedMeta<'_>| {
            names.push(text(&inner.path));
            Ok(())
        };
        attribute.parse_nested_meta(add).unwrap();
    }
    names
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(it) => &it.vis,
        Item::Enum(it) => &it.vis,
        Item::Fn(it) => &it.vis,
        Item::Mod(it) => &it.vis,
        Item::Static(it) => &it.vis,
        Item::Struct(it) => &it.vis,
        Item::Trait(it) => &it.vis,
        Item::Type(it) => &it.vis,
        Item::Use(it) => &it.vis,
        _ => return false,
    };
    matches!(visibility, Visibility::Public(_))
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Mod(it) => &it.ident,
        Item::Static(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::Type(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}
