//! Tests that files are complete or absent.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use super::TOGETHER;
use super::{Destination, Existing, Finished, Refused};
use crate::error::Error;

const PLAIN: &[u8] = b"From: Mary <mary@example.org>\nSubject: plain\n\ntext\n";

/// A folder with these files in it.
fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, octets) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    }
    folder
}

/// Every file below a folder, with its octets.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    files.sort();
    files
}

fn write(destination: &mut Destination, relative: &str, octets: &[u8]) -> Result<(), Error> {
    let mut draft = destination.create(relative.as_ref())?;
    draft.write_all(octets).unwrap();
    none(draft.keep(destination, relative, None)?)?;
    none(destination.flush_pending()?)
}

/// An error if a file was refused.
fn none(refused: Vec<Refused>) -> Result<(), Error> {
    refused
        .into_iter()
        .try_for_each(|refused| Err(refused.error))
}

#[test]
fn files_are_complete_or_absent() {
    let source = tree(&[("a.eml", PLAIN)]);
    let target = tempfile::tempdir().unwrap();
    let mut destination =
        Destination::new(source.path(), target.path(), Existing::Refuse, "").unwrap();
    let mut draft = destination.create("x/a.eml".as_ref()).unwrap();
    draft.write_all(&PLAIN.repeat(100_000)).unwrap();
    assert!(!target.path().join("x/a.eml").exists());
    drop(draft);
    assert_eq!(fs::read_dir(target.path().join("x")).unwrap().count(), 0);
    write(&mut destination, "b.eml", PLAIN).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(820_631_134);
    let draft = destination.create("c.eml".as_ref()).unwrap();
    none(draft.keep(&mut destination, "", Some(time)).unwrap()).unwrap();
    none(destination.flush_pending().unwrap()).unwrap();
    assert_eq!(
        fs::metadata(target.path().join("c.eml"))
            .unwrap()
            .modified()
            .unwrap(),
        time
    );
    destination.maildir("box".as_ref()).unwrap();
    for name in ["cur", "new", "tmp"] {
        assert!(target.path().join("box").join(name).is_dir());
    }
    destination.finish().unwrap();
    let expected = [("b.eml", PLAIN.to_vec()), ("c.eml", vec![])]
        .map(|(name, octets)| (target.path().join(name), octets));
    assert_eq!(files(target.path()), expected);
}

#[test]
fn the_source_cannot_be_the_destination() {
    let folder = tree(&[("source/a.eml", PLAIN), ("other/b.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    let open = |source: &str, target: &str| {
        Destination::new(&path(source), &path(target), Existing::Replace, "")
    };
    for (source, target) in [
        ("source", "source"),
        ("source", "source/"),
        ("source", "other/../source"),
        ("source", "source/below"),
        ("source", "source/not/there/yet"),
        ("source", "."),
        ("source", "other/b.eml"),
        ("source/a.eml", "source/a.eml"),
    ] {
        let before = files(folder.path());
        assert!(open(source, target).is_err(), "{source} {target}");
        assert_eq!(files(folder.path()), before);
    }
    // Other files may be written to the source's folder, but not over the source.
    let mut destination = open("source/a.eml", "source").unwrap();
    assert!(write(&mut destination, "a.eml", b"").is_err());
    write(&mut destination, "c.eml", PLAIN).unwrap();
    assert_eq!(fs::read(path("source/a.eml")).unwrap(), PLAIN);
    destination.finish().unwrap();
    let mut destination = open("source/a.eml", "new/name.eml").unwrap();
    write(&mut destination, "a.eml", PLAIN).unwrap();
    destination.finish().unwrap();
    assert_eq!(
        files(&path("new")),
        [(
            path("new").canonicalize().unwrap().join("name.eml"),
            PLAIN.to_vec()
        )]
    );
}

#[cfg(unix)]
#[test]
fn links_into_the_source_are_refused() {
    let folder = tree(&[("source/x/a.eml", PLAIN), ("target/b.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    symlink(path("source"), path("link")).unwrap();
    assert!(Destination::new(&path("source"), &path("link"), Existing::Replace, "").is_err());
    assert!(Destination::new(&path("source"), &path("link/x"), Existing::Replace, "").is_err());
    symlink(path("source/x"), path("target/x")).unwrap();
    let mut destination =
        Destination::new(&path("source"), &path("target"), Existing::Replace, "").unwrap();
    assert!(destination.create("x/a.eml".as_ref()).is_err());
    for outside in ["../a.eml", "/a.eml", "a/../../b.eml"] {
        assert!(destination.create(outside.as_ref()).is_err(), "{outside}");
    }
    assert_eq!(fs::read(path("source/x/a.eml")).unwrap(), PLAIN);
}

/// Every folder below a folder.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let below = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let below = below.filter(|entry| entry.file_type().unwrap().is_dir());
    let below = below.flat_map(|entry| folders(&entry.path()));
    let mut all: Vec<_> = below.chain([folder.to_path_buf()]).collect();
    all.sort();
    all
}

/// Never create folders through a link out of the destination: they could end up in the source.
#[cfg(unix)]
#[test]
fn no_folder_is_created_through_a_link() {
    let folder = tree(&[
        ("source/x/y/a.eml", PLAIN),
        ("target/b.eml", PLAIN),
        ("elsewhere/c.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    symlink("../source", path("target/in")).unwrap();
    symlink("../elsewhere", path("target/out")).unwrap();
    symlink("../nowhere", path("target/dangling")).unwrap();
    let before = folders(folder.path());
    let mut destination =
        Destination::new(&path("source"), &path("target"), Existing::Replace, "").unwrap();
    for link in ["in", "out", "dangling", "in/x", "out/x/../../in"] {
        let name = format!("{link}/deeper/still/a.eml");
        assert!(destination.create(name.as_ref()).is_err(), "{link}");
        assert!(destination.maildir(link.as_ref()).is_err(), "{link}");
    }
    assert_eq!(folders(folder.path()), before);
    // A link that stays inside the destination is as good as a folder.
    fs::create_dir(path("target/real")).unwrap();
    symlink("real", path("target/link")).unwrap();
    write(&mut destination, "link/deeper/a.eml", PLAIN).unwrap();
    assert_eq!(fs::read(path("target/real/deeper/a.eml")).unwrap(), PLAIN);
    destination.finish().unwrap();
}

#[test]
fn existing_files_are_kept() {
    let source = tree(&[("a.eml", PLAIN)]);
    let target = tree(&[("a.eml", b"old")]);
    let open = |existing| Destination::new(source.path(), target.path(), existing, "").unwrap();
    let mut destination = open(Existing::Refuse);
    let error = write(&mut destination, "a.eml", b"new").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{} already exists",
            target
                .path()
                .canonicalize()
                .unwrap()
                .join("a.eml")
                .display()
        )
    );
    assert_eq!(fs::read(target.path().join("a.eml")).unwrap(), b"old");
    // A file that appears during the run is kept too.
    let draft = destination.create("b.eml".as_ref()).unwrap();
    fs::write(target.path().join("b.eml"), b"other").unwrap();
    let refused = draft.keep(&mut destination, "", None).unwrap();
    assert!(none(refused).is_err());
    assert_eq!(fs::read(target.path().join("b.eml")).unwrap(), b"other");
    destination.finish().unwrap();
    let mut destination = open(Existing::Replace);
    write(&mut destination, "a.eml", b"new").unwrap();
    destination.finish().unwrap();
    assert_eq!(fs::read(target.path().join("a.eml")).unwrap(), b"new");
}

/// A run killed at any point and resumed ends as if it had not been interrupted.
#[test]
fn an_interrupted_run_is_resumed() {
    let source = tree(&[("a.eml", PLAIN)]);
    let names = ["a.eml", "x/b c.eml", "x/d\tä.eml", "y/e.eml"];
    let work = |destination: &mut Destination, finished: &Finished, stop: usize| {
        let mut steps = 0;
        for name in names {
            if finished
                .note(name.as_ref())
                .is_some_and(|note| note == name)
            {
                continue;
            }
            let mut draft = destination.create(name.as_ref()).unwrap();
            draft.write_all(name.as_bytes()).unwrap();
            steps += 1;
            if steps > stop {
                // As if killed: the draft is not deleted.
                std::mem::forget(draft);
                return;
            }
            none(draft.keep(destination, name, None).unwrap()).unwrap();
            none(destination.flush_pending().unwrap()).unwrap();
        }
    };
    for stop in 0..=names.len() {
        let target = tempfile::tempdir().unwrap();
        let open =
            |existing, settings| Destination::new(source.path(), target.path(), existing, settings);
        let mut destination = open(Existing::Refuse, "a b").unwrap();
        let finished = destination.finished();
        work(&mut destination, &finished, stop);
        drop(destination);
        assert!(open(Existing::Refuse, "a b").is_err());
        assert!(open(Existing::Resume, "c").is_err());
        // The last journal line may be truncated although the file was renamed.
        let journal = target.path().join(".mime-charset-journal");
        let text = fs::read(&journal).unwrap();
        fs::write(&journal, &text[..text.len() - 1]).unwrap();
        let mut destination = open(Existing::Resume, "a b").unwrap();
        let finished = destination.finished();
        let done = names
            .iter()
            .filter(|name| finished.note(name.as_ref()).is_some())
            .count();
        assert!(done + 1 >= stop, "{done} {stop}");
        work(&mut destination, &finished, usize::MAX);
        destination.finish().unwrap();
        let expected: Vec<_> = names
            .iter()
            .map(|name| (target.path().join(name), name.as_bytes().to_vec()))
            .collect();
        assert_eq!(files(target.path()), expected, "{stop}");
    }
}

#[test]
fn a_resumed_run_has_the_notes_of_finished_files() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("target");
    let mut destination =
        Destination::new("src".as_ref(), &target, Existing::Refuse, "charset=utf-8")?;
    let mut draft = destination.create("a/b.eml".as_ref())?;
    draft.write_all(b"Subject: x\r\n")?;
    assert!(!target.join("a/b.eml").exists());
    none(draft.keep(&mut destination, "clean", None)?)?;
    none(destination.flush_pending()?)?;
    destination.maildir("inbox".as_ref())?;
    // If the run ended here, another could resume it.
    assert!(
        destination
            .place("a/b.eml".as_ref())
            .ends_with("target/a/b.eml")
    );
    drop(destination);
    let mut destination =
        Destination::new("src".as_ref(), &target, Existing::Resume, "charset=utf-8")?;
    assert_eq!(
        destination.finished().note("a/b.eml".as_ref()),
        Some("clean")
    );
    destination.finish()?;
    assert_eq!(fs::read(target.join("a/b.eml"))?, b"Subject: x\r\n");
    assert!(target.join("inbox/new").is_dir());
    Ok(())
}

#[test]
fn a_started_run_can_be_resumed() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mut destination = Destination::new("src".as_ref(), folder.path(), Existing::Refuse, "")?;
    assert!(!destination.resumes());
    destination.create("a.eml".as_ref())?;
    drop(destination);
    let destination = Destination::new("src".as_ref(), folder.path(), Existing::Resume, "")?;
    assert!(destination.resumes());
    Ok(())
}

/// Pending files have temporary names; a request for one of their places renames them.
#[test]
#[cfg(target_os = "linux")]
fn pending_files_are_renamed_together() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("target");
    let mut destination = Destination::new("src".as_ref(), &target, Existing::Refuse, "")?;
    let keep = |destination: &mut Destination, name: &str| {
        let mut draft = destination.create(name.as_ref())?;
        draft.write_all(name.as_bytes()).unwrap();
        none(draft.keep(destination, name, None)?)
    };
    let there = || {
        files(&target)
            .into_iter()
            .filter(|(path, _)| path.extension().is_some_and(|it| it == "eml"))
            .count()
    };
    for number in 1..TOGETHER {
        keep(&mut destination, &format!("{number}.eml"))?;
        assert_eq!((there(), destination.has_results()), (0, true));
    }
    keep(&mut destination, "last.eml")?;
    assert_eq!(there(), TOGETHER);
    keep(&mut destination, "small.eml")?;
    none(destination.flush_pending_for("other.eml".as_ref())?)?;
    assert_eq!(there(), TOGETHER);
    none(destination.flush_pending_for("SMALL.EML".as_ref())?)?;
    assert_eq!(there(), TOGETHER + 1);
    // A long file is renamed immediately, with all pending files.
    keep(&mut destination, "before.eml")?;
    let mut draft = destination.create("long.eml".as_ref())?;
    draft.write_all(&vec![b'a'; 1 << 20])?;
    none(draft.keep(&mut destination, "", None)?)?;
    assert_eq!(there(), TOGETHER + 3);
    // Files that were not flushed are lost; a resumed run writes them.
    keep(&mut destination, "lost.eml")?;
    drop(destination);
    assert_eq!(there(), TOGETHER + 3);
    let mut destination = Destination::new("src".as_ref(), &target, Existing::Resume, "")?;
    let finished = destination.finished();
    assert_eq!(finished.note("last.eml".as_ref()), Some("last.eml"));
    assert_eq!(finished.note("lost.eml".as_ref()), None);
    keep(&mut destination, "lost.eml")?;
    destination.finish()?;
    assert_eq!(fs::read(target.join("lost.eml"))?, b"lost.eml");
    assert_eq!(files(&target).len(), TOGETHER + 4);
    Ok(())
}

/// A file that cannot be renamed is reported by its place; the others are renamed.
#[test]
fn refused_files_are_returned_and_others_renamed() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("target");
    let mut destination = Destination::new("src".as_ref(), &target, Existing::Refuse, "")?;
    let mut refused = Vec::new();
    for name in ["a.eml", "b.eml", "c.eml"] {
        let mut draft = destination.create(name.as_ref())?;
        draft.write_all(name.as_bytes())?;
        if name == "b.eml" {
            fs::create_dir(target.join(name))?;
        }
        refused.extend(draft.keep(&mut destination, name, None)?);
    }
    refused.extend(destination.flush_pending()?);
    assert!(destination.has_no_pending());
    let places: Vec<_> = refused.iter().map(|it| it.place.clone()).collect();
    assert_eq!(places, [destination.place("b.eml".as_ref())]);
    for name in ["a.eml", "c.eml"] {
        assert_eq!(fs::read_to_string(target.join(name))?, name);
    }
    // A resumed run writes only this file.
    drop(destination);
    fs::remove_dir(target.join("b.eml"))?;
    let mut destination = Destination::new("src".as_ref(), &target, Existing::Resume, "")?;
    let finished = destination.finished();
    let done = |name: &str| finished.note(name.as_ref()).is_some();
    assert_eq!(["a.eml", "b.eml", "c.eml"].map(done), [true, false, true]);
    write(&mut destination, "b.eml", b"b.eml")?;
    destination.finish()?;
    assert_eq!(files(&target).len(), 3);
    Ok(())
}

#[test]
fn kept_files_count_as_results() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mut destination = Destination::new("src".as_ref(), folder.path(), Existing::Refuse, "")?;
    let draft = destination.create("a.eml".as_ref())?;
    assert!(!destination.has_results());
    none(draft.keep(&mut destination, "", None)?)?;
    assert!(destination.has_results());
    Ok(())
}

#[test]
fn a_run_without_results_leaves_no_files() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("a/b");
    let mut destination = Destination::new("src".as_ref(), &target, Existing::Refuse, "")?;
    drop(destination.create("c/d.eml".as_ref())?);
    destination.abandon()?;
    assert_eq!(fs::read_dir(folder.path())?.count(), 0);
    Ok(())
}

#[test]
fn a_draft_keeps_the_modification_time() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut destination = Destination::new("src".as_ref(), folder, Existing::Refuse, "")?;
    drop(destination.create("never.eml".as_ref())?);
    let empty = destination.create("empty.eml".as_ref())?;
    none(empty.keep(&mut destination, "", None)?)?;
    let mut draft = destination.create("old.eml".as_ref())?;
    draft.write_all(b"Subject: old\n\n")?;
    let delivered = SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_800);
    none(draft.keep(&mut destination, "", Some(delivered))?)?;
    destination.finish()?;
    assert_eq!(fs::read_dir(folder)?.count(), 2);
    assert_eq!(folder.join("old.eml").metadata()?.modified()?, delivered);
    Ok(())
}

#[test]
fn a_draft_replaces_no_unrelated_file() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut destination = Destination::new("src".as_ref(), folder, Existing::Refuse, "")?;
    let mut draft = destination.create("a.eml".as_ref())?;
    draft.write_all(b"Subject: ours\n\n")?;
    fs::write(folder.join("a.eml"), "Subject: of somebody else\n\n")?;
    assert!(none(draft.keep(&mut destination, "", None)?).is_err());
    Ok(())
}
