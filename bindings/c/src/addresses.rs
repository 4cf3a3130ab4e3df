//! The addresses of a field.

use mime_charset::decode;
use mime_charset::header::encode::MailboxOrGroup;

use crate::border::{Terminated, Utf8, free, put, read, utf8, with};
use crate::status::MIME_CHARSET_INVALID;

/// The mailboxes of a field, including those in groups. Freed with `mime_charset_addresses_free`.
pub struct Addresses {
    mailboxes: Vec<OwnedMailbox>,
    groups: Vec<Terminated>,
}

struct OwnedMailbox {
    name: Terminated,
    address: Terminated,
    group: Option<usize>,
}

/// One mailbox. Its strings belong to the addresses that returned it, or to the caller that filled
/// it in.
#[repr(C)]
pub struct Mailbox {
    /// The display name, decoded; empty if there is none.
    pub name: Utf8,
    /// The address, such as `kim@example.org`.
    pub address: Utf8,
    /// The name of its group; `data` is NULL outside of groups.
    pub group: Utf8,
}

/// Consecutive mailboxes in one group, or in none.
pub(crate) struct Run<'a> {
    group: Option<&'a str>,
    mailboxes: Vec<(&'a str, &'a str)>,
}

impl Run<'_> {
    pub(crate) fn addresses(&self) -> impl Iterator<Item = MailboxOrGroup<'_>> {
        let group = self
            .group
            .map(|name| MailboxOrGroup::Group(name, &self.mailboxes));
        let alone = self.mailboxes.iter().filter(|_| self.group.is_none());
        let alone = alone.map(|(name, address)| MailboxOrGroup::Mailbox(name, address));
        group.into_iter().chain(alone)
    }
}

/// Splits mailboxes by group. In a group, an address without `data` means a group without
/// mailboxes.
///
/// # Safety
///
/// The texts of each mailbox are readable for their lengths, and unchanged while the runs are used.
pub(crate) unsafe fn runs(mailboxes: &[Mailbox]) -> Result<Vec<Run<'_>>, i32> {
    // SAFETY: `utf8` requires what this function requires.
    let text = |text: &Utf8| unsafe { utf8(text.data, text.length) };
    let mut runs: Vec<Run<'_>> = Vec::new();
    for mailbox in mailboxes {
        let is_in_group = !mailbox.group.data.is_null();
        let group = is_in_group.then(|| text(&mailbox.group)).transpose()?;
        if runs.last().is_none_or(|run| run.group != group) {
            let mailboxes = Vec::new();
            runs.push(Run { group, mailboxes });
        }
        if is_in_group && mailbox.address.data.is_null() {
            continue;
        }
        if let Some(run) = runs.last_mut() {
            run.mailboxes
                .push((text(&mailbox.name)?, text(&mailbox.address)?));
        }
    }
    Ok(runs)
}

impl Addresses {
    pub(crate) fn of(list: &decode::Addresses<'_>) -> Box<Self> {
        let (mut mailboxes, mut groups) = (Vec::new(), Vec::new());
        let mut add = |mailbox: &decode::Mailbox<'_>, group| {
            mailboxes.push(OwnedMailbox {
                name: Terminated::new(mailbox.name.as_str()),
                address: Terminated::new(&*mailbox.address),
                group,
            });
        };
        for address in &list.list {
            match address {
                decode::Address::Mailbox(mailbox) => add(mailbox, None),
                decode::Address::Group {
                    name, mailboxes, ..
                } => {
                    let place = groups.len();
                    groups.push(Terminated::new(name.as_str()));
                    mailboxes.iter().for_each(|it| add(it, Some(place)));
                }
                _ => {}
            }
        }
        Box::new(Addresses { mailboxes, groups })
    }
}

/// The number of mailboxes.
///
/// # Safety
///
/// `addresses` are NULL or have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_addresses_count(addresses: *const Addresses) -> usize {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(addresses, 0, |it| it.mailboxes.len()) }
}

/// A mailbox by index, from 0.
///
/// # Safety
///
/// `addresses` are NULL or have not been freed; a mailbox may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_addresses_at(
    addresses: *const Addresses,
    index: usize,
    out: *mut Mailbox,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let addresses = unsafe { read(addresses) }?;
        let found = addresses.mailboxes.get(index).ok_or(MIME_CHARSET_INVALID)?;
        let group = found.group.and_then(|group| addresses.groups.get(group));
        Ok(Mailbox {
            name: found.name.view(),
            address: found.address.view(),
            group: group.map_or(Utf8::NONE, Terminated::view),
        })
    };
    // SAFETY: `put` requires NULL or room for the value at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}

/// Frees addresses.
///
/// # Safety
///
/// `addresses` are NULL or have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_addresses_free(addresses: *mut Addresses) {
    // SAFETY: `free` requires NULL or a handle of this kind not used again: the caller
    // guarantees it.
    unsafe { free(addresses) }
}
