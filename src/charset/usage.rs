//! Charsets as registered or as practised.

use crate::report::{Kind, Report};

/// Whether a label means the registered charset or its use in mail
/// ([`as_registered`](crate::Options::as_registered)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Usage {
    /// The superset in common use, cell by cell: windows-1252 for ISO-8859-1, UHC for EUC-KR, GB
    /// 18030 for GB2312.
    #[default]
    AsPractised,
    /// The registered charset only.
    AsRegistered,
}

/// Octets that only the practised charset decodes this way: the offset of the first, and their number.
#[derive(Debug, Clone, Default)]
pub(super) struct PractisedOctets {
    first: Option<usize>,
    count: usize,
}

impl PractisedOctets {
    pub(super) fn add(&mut self, offset: usize, octets: usize) {
        if octets > 0 {
            self.first.get_or_insert(offset);
            self.count += octets;
        }
    }

    /// Reports them at the end of the text.
    pub(super) fn report(&self, report: &mut Report) {
        if let Some(first) = self.first {
            let detail = match self.count {
                1 => "1 octet decoded as in practice".to_owned(),
                count => format!("{count} octets decoded as in practice"),
            };
            report.add_in_octets(Kind::Superset, first, 1, detail);
        }
    }
}
