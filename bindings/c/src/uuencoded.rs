//! The uuencoded files in the text of a part.

use mime_charset::transfer;

use crate::border::{Terminated, Utf8, free, give, put, read, with};
use crate::message::Message;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_INVALID;
use crate::text::Text;

/// The uuencoded files in a text. Freed with `mime_charset_uuencoded_free`.
pub struct Uuencoded(Vec<OwnedFile>);

struct OwnedFile {
    name: Terminated,
    file: transfer::Uuencoded,
}

/// A uuencoded file in a text. Its name belongs to the list that returned it.
#[repr(C)]
pub struct File {
    /// The name in the `begin` line, as chosen by the sender; it may contain folders.
    pub name: Utf8,
    /// The offset of its `begin` line in the text in UTF-8.
    pub offset: usize,
    /// The number of octets of its lines in the text, including the `end` line.
    pub length: usize,
}

/// The uuencoded files in a text/plain part (POSIX, `uuencode`), which is how mail had attachments
/// before MIME. Their lines stay in `mime_charset_part_text`, and are left out of
/// `mime_charset_part_reading_text`.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_uuencoded(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Uuencoded,
) -> i32 {
    let mut place = None;
    let made = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed;
        // `options_of` requires NULL or options of the size in their first field: the caller
        // guarantees it.
        let (message, options) = unsafe { (read(message)?, options_of(options, &mut place)?) };
        message.part(part, |part| {
            let files = part.uuencoded(part.text_with(options).as_str());
            let files = files.into_iter().map(|file| OwnedFile {
                name: Terminated::new(&file.name),
                file,
            });
            Ok(Box::new(Uuencoded(files.collect())))
        })
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, made) }
}

/// The number of files.
///
/// # Safety
///
/// `files` is NULL or has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_uuencoded_count(files: *const Uuencoded) -> usize {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(files, 0, |files| files.0.len()) }
}

/// A file by index, from 0.
///
/// # Safety
///
/// `files` is NULL or has not been freed; a file may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_uuencoded_at(
    files: *const Uuencoded,
    index: usize,
    out: *mut File,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let found = unsafe { read(files) }?.0.get(index);
        let OwnedFile { name, file } = found.ok_or(MIME_CHARSET_INVALID)?;
        Ok(File {
            name: name.view(),
            offset: file.range.start,
            length: file.range.len(),
        })
    };
    // SAFETY: `put` requires NULL or room for the value at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}

/// The octets of a file by index, from 0, with the findings on its lines.
///
/// # Safety
///
/// `files` is NULL or has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_uuencoded_octets(
    files: *const Uuencoded,
    index: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let found = unsafe { read(files) }?.0.get(index);
        let OwnedFile { file, .. } = found.ok_or(MIME_CHARSET_INVALID)?;
        Ok(Text::new(
            file.octets.as_slice().into(),
            file.report.clone(),
        ))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Frees a list of files.
///
/// # Safety
///
/// `files` is NULL or has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_uuencoded_free(files: *mut Uuencoded) {
    // SAFETY: `free` requires NULL or a handle of this kind not used again: the caller
    // guarantees it.
    unsafe { free(files) }
}
