//! The addresses of a field.

use mime_charset::decode;
use mime_charset::header::encode::MailboxOrGroup;

use crate::border::{Terminated, Utf8, free, put, read, utf8, with};
use crate::status::MIME_CHARSET_INVALID;

/// The mailboxes of a field, those of groups too. Freed with `mime_charset_addresses_free`.
pub struct Addresses {
    mailboxes: Vec<Read>,
    groups: Vec<Terminated>,
}

struct Read {
    name: Terminated,
    address: Terminated,
    group: Option<usize>,
}

/// One mailbox. Its strings belong to the addresses that it was asked of, or to whoever filled it in.
#[repr(C)]
pub struct Mailbox {
    /// The display name, decoded; empty where there is none.
    pub name: Utf8,
    /// The address, such as `kim@example.org`.
    pub address: Utf8,
    /// The name of the group it stands in; `data` is NULL outside of groups.
    pub group: Utf8,
}

/// Mailboxes one behind the other that are in one group, or in none.
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

/// The mailboxes by their groups. In a group, one whose address has no `data` stands for none.
///
/// # Safety
///
/// Of each mailbox so many octets may be read at its texts as their lengths say, unchanged for as long
/// as the runs are used.
pub(crate) unsafe fn runs(mailboxes: &[Mailbox]) -> Result<Vec<Run<'_>>, i32> {
    // SAFETY: `utf8` asks for what this function asks for.
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
            mailboxes.push(Read {
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

/// How many mailboxes there are.
///
/// # Safety
///
/// `addresses` are NULL or have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_addresses_count(addresses: *const Addresses) -> usize {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(addresses, 0, |it| it.mailboxes.len()) }
}

/// A mailbox by its place, from 0.
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
        // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
        // promises it.
        let addresses = unsafe { read(addresses) }?;
        let found = addresses.mailboxes.get(index).ok_or(MIME_CHARSET_INVALID)?;
        let group = found.group.and_then(|group| addresses.groups.get(group));
        Ok(Mailbox {
            name: found.name.view(),
            address: found.address.view(),
            group: group.map_or(Utf8::NONE, Terminated::view),
        })
    };
    // SAFETY: `put` asks for NULL or room for the value at `out`: the caller promises it.
    unsafe { put(out, find) }
}

/// Frees addresses.
///
/// # Safety
///
/// `addresses` are NULL or have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_addresses_free(addresses: *mut Addresses) {
    // SAFETY: `free` asks for NULL or a handle of this kind that nobody uses again: the caller
    // promises it.
    unsafe { free(addresses) }
}
