//! `OpenPGP` blocks in text, which a conversion keeps.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::decode::{Observer, PieceSearch, begins_line};

/// Searches for the first line of an `OpenPGP` block (RFC 9580, section 6.2.1). A change would
/// break its armour or signature, and its `Charset:` line describes its content.
#[derive(Debug, Default)]
pub(crate) struct OpenPgpSearch {
    is_found: bool,
    search: PieceSearch<48>,
}

impl OpenPgpSearch {
    /// Whether a block was found so far.
    pub(crate) fn is_found(&self) -> bool {
        self.is_found
    }
}

impl Observer for OpenPgpSearch {
    fn look(&mut self, octets: &[u8]) {
        self.is_found = self.is_found || self.search.look(octets, opens_block);
    }
}

/// Whether a line of `octets`, which follow the octet `before`, opens a block.
fn opens_block(before: Option<u8>, octets: &[u8]) -> bool {
    static OPENING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----BEGIN PGP "));
    OPENING.find_iter(octets).any(|at| {
        let rest = octets
            .get(at + OPENING.needle().len()..)
            .unwrap_or_default();
        begins_line(before, octets, at)
            && ["SIGNED MESSAGE-----", "MESSAGE-----", "MESSAGE, PART "]
                .iter()
                .any(|kind| rest.starts_with(kind.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Observer, OpenPgpSearch};

    #[test]
    fn a_block_is_found_however_the_text_is_split() {
        let before = "a".repeat(90);
        let texts = [
            ("-----BEGIN PGP MESSAGE-----\n".to_owned(), true),
            ("a-----BEGIN PGP MESSAGE-----\n".to_owned(), false),
            ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n".to_owned(), false),
            (
                format!("{before}\n-----BEGIN PGP SIGNED MESSAGE-----\n"),
                true,
            ),
            (format!("{before}\r-----BEGIN PGP MESSAGE, PART 1\n"), true),
            (
                format!("{before}-----BEGIN PGP SIGNED MESSAGE-----\n"),
                false,
            ),
        ];
        for (text, is_block) in texts {
            for size in 1..130 {
                let mut openpgp = OpenPgpSearch::default();
                for piece in text.as_bytes().chunks(size) {
                    openpgp.look(piece);
                }
                assert_eq!(openpgp.is_found(), is_block, "{size} {text}");
            }
        }
    }
}
