//! Peers with a C interface: `iconv` of the C library, and ICU and `GMime` if installed. Those two
//! are loaded at run time, ICU by release number, so the benchmark builds without them.

#![expect(unsafe_code, reason = "all of them speak C")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use libloading::Library;

#[link(name = "c")]
unsafe extern "C" {
    fn iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void;
    fn iconv(
        converter: *mut c_void,
        input: *mut *mut c_char,
        input_left: *mut usize,
        output: *mut *mut c_char,
        output_left: *mut usize,
    ) -> usize;
    fn iconv_close(converter: *mut c_void) -> c_int;
}

/// Converts `octets` with `iconv`; `None` if it does not know a charset or stops.
pub fn iconv_from(from: &str, to: &str, octets: &[u8]) -> Option<Vec<u8>> {
    let (from, to) = (CString::new(from).ok()?, CString::new(to).ok()?);
    // SAFETY: both names end in NUL and live until the call returns.
    let converter = unsafe { iconv_open(to.as_ptr(), from.as_ptr()) };
    if converter.addr() == usize::MAX {
        return None;
    }
    // Four octets of output per octet of input, and some for the last escape.
    let mut output = vec![0_u8; octets.len() * 4 + 64];
    let mut input = octets.as_ptr().cast::<c_char>().cast_mut();
    let mut input_left = octets.len();
    let mut to = output.as_mut_ptr().cast::<c_char>();
    let mut output_left = output.len();
    // SAFETY: the pointers and lengths are those of `octets` and `output`; iconv does not
    // write to its input. The second call, without input, returns to the initial state.
    let failed = unsafe {
        let failed = iconv(
            converter,
            &raw mut input,
            &raw mut input_left,
            &raw mut to,
            &raw mut output_left,
        );
        iconv(
            converter,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &raw mut to,
            &raw mut output_left,
        );
        iconv_close(converter);
        failed == usize::MAX
    };
    output.truncate(output.len() - output_left);
    (!failed && input_left == 0).then_some(output)
}

type Open = unsafe extern "C" fn(*const c_char, *mut c_int) -> *mut c_void;
type Close = unsafe extern "C" fn(*mut c_void);
type Convert = unsafe extern "C" fn(
    *mut c_void,
    *mut c_void,
    *mut *mut c_char,
    *const c_char,
    *mut *const c_char,
    *const c_char,
    *mut u16,
    *mut *mut u16,
    *mut *mut u16,
    *const u16,
    i8,
    i8,
    *mut c_int,
);

/// ICU's converters.
pub struct Icu {
    open: Open,
    close: Close,
    convert: Convert,
    /// Keeps the functions loaded.
    _library: Library,
}

impl Icu {
    /// Loads the newest installed ICU.
    pub fn load() -> Option<Icu> {
        (50..=99).rev().find_map(|release| {
            // SAFETY: ICU's library has no harmful initializers. The functions are looked up by
            // their names in that release and have the types of its header `unicode/ucnv.h`, which
            // have not changed since release 4.
            unsafe {
                let library = Library::new(format!("libicuuc.so.{release}")).ok()?;
                let open = *library
                    .get(format!("ucnv_open_{release}").as_bytes())
                    .ok()?;
                let close = *library
                    .get(format!("ucnv_close_{release}").as_bytes())
                    .ok()?;
                let convert = *library
                    .get(format!("ucnv_convertEx_{release}").as_bytes())
                    .ok()?;
                Some(Icu {
                    open,
                    close,
                    convert,
                    _library: library,
                })
            }
        })
    }

    /// Decodes `octets` to UTF-8 with ICU; `None` if it does not know the charset.
    pub fn decode(&self, label: &str, octets: &[u8]) -> Option<Vec<u8>> {
        let label = CString::new(label).ok()?;
        let mut output = vec![0_u8; octets.len() * 4 + 64];
        let mut pivot = vec![0_u16; 4096];
        let mut error = 0;
        // SAFETY: names end in NUL; each pair of pointers is the start and the end of one of
        // the buffers above, which live until the call returns.
        unsafe {
            let from = (self.open)(label.as_ptr(), &raw mut error);
            let to = (self.open)(c"UTF-8".as_ptr(), &raw mut error);
            if error > 0 || from.is_null() || to.is_null() {
                return None;
            }
            let start = output.as_mut_ptr().cast::<c_char>();
            let mut target = start;
            let mut source = octets.as_ptr().cast::<c_char>();
            let (mut pivot_source, mut pivot_target) = (pivot.as_mut_ptr(), pivot.as_mut_ptr());
            (self.convert)(
                to,
                from,
                &raw mut target,
                start.add(output.len()),
                &raw mut source,
                source.add(octets.len()),
                pivot.as_mut_ptr(),
                &raw mut pivot_source,
                &raw mut pivot_target,
                pivot.as_ptr().add(pivot.len()),
                1,
                1,
                &raw mut error,
            );
            (self.close)(from);
            (self.close)(to);
            let written = target.offset_from(start).unsigned_abs();
            output.truncate(written);
        }
        (error <= 0).then_some(output)
    }
}

type Get = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type GetAt = unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void;
type Count = unsafe extern "C" fn(*mut c_void) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void);

/// `GMime` 3.
pub struct Gmime {
    stream: unsafe extern "C" fn(*const c_char, usize) -> *mut c_void,
    parser: Get,
    message: unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void,
    subject: Get,
    from: Get,
    to: Get,
    count: Count,
    address: GetAt,
    name: Get,
    addr_spec: Get,
    parts: Get,
    part: Get,
    next: Count,
    is_a: unsafe extern "C" fn(*mut c_void, usize) -> c_int,
    mailbox_type: usize,
    text_type: usize,
    text: Get,
    free: Free,
    free_parts: Free,
    unref: Free,
    /// Keeps the functions loaded.
    _library: Library,
}

impl Gmime {
    pub fn load() -> Option<Gmime> {
        // SAFETY: the functions are looked up by their names in release 3.0 and have the types of
        // its headers `gmime/*.h`. Those of GLib are found through its dependencies. The first two
        // calls are those required by its manual.
        unsafe {
            let library = Library::new("libgmime-3.0.so.0").ok()?;
            let init: unsafe extern "C" fn() = *library.get(b"g_mime_init").ok()?;
            init();
            let type_of = |name: &[u8]| {
                let of: unsafe extern "C" fn() -> usize = *library.get(name).ok()?;
                Some(of())
            };
            Some(Gmime {
                stream: *library.get(b"g_mime_stream_mem_new_with_buffer").ok()?,
                parser: *library.get(b"g_mime_parser_new_with_stream").ok()?,
                message: *library.get(b"g_mime_parser_construct_message").ok()?,
                subject: *library.get(b"g_mime_message_get_subject").ok()?,
                from: *library.get(b"g_mime_message_get_from").ok()?,
                to: *library.get(b"g_mime_message_get_to").ok()?,
                count: *library.get(b"internet_address_list_length").ok()?,
                address: *library.get(b"internet_address_list_get_address").ok()?,
                name: *library.get(b"internet_address_get_name").ok()?,
                addr_spec: *library.get(b"internet_address_mailbox_get_addr").ok()?,
                parts: *library.get(b"g_mime_part_iter_new").ok()?,
                part: *library.get(b"g_mime_part_iter_get_current").ok()?,
                next: *library.get(b"g_mime_part_iter_next").ok()?,
                is_a: *library.get(b"g_type_check_instance_is_a").ok()?,
                mailbox_type: type_of(b"internet_address_mailbox_get_type")?,
                text_type: type_of(b"g_mime_text_part_get_type")?,
                text: *library.get(b"g_mime_text_part_get_text").ok()?,
                free: *library.get(b"g_free").ok()?,
                free_parts: *library.get(b"g_mime_part_iter_free").ok()?,
                unref: *library.get(b"g_object_unref").ok()?,
                _library: library,
            })
        }
    }

    /// Passes the subject, the names and addresses of From and To (each as `name <address>`), and
    /// the text of every part to `show`.
    pub fn read(&self, source: &[u8], show: &mut dyn FnMut(&[u8])) {
        // SAFETY: the stream copies the source. All results belong to the message, except the text,
        // which is freed as documented, and no function gets a null pointer. Each created object is
        // released once.
        unsafe {
            let stream = (self.stream)(source.as_ptr().cast(), source.len());
            let parser = (self.parser)(stream);
            (self.unref)(stream);
            let message = (self.message)(parser, std::ptr::null_mut());
            (self.unref)(parser);
            if message.is_null() {
                return;
            }
            show(octets_of((self.subject)(message)));
            for list in [(self.from)(message), (self.to)(message)] {
                let count = if list.is_null() {
                    0
                } else {
                    (self.count)(list)
                };
                for at in 0..count {
                    let address = (self.address)(list, at);
                    if (self.is_a)(address, self.mailbox_type) != 0 {
                        let name = octets_of((self.name)(address));
                        let addr_spec = octets_of((self.addr_spec)(address));
                        show(&[name, b" <", addr_spec, b">"].concat());
                    }
                }
            }
            let parts = (self.parts)(message);
            loop {
                let part = (self.part)(parts);
                if !part.is_null() && (self.is_a)(part, self.text_type) != 0 {
                    let text = (self.text)(part);
                    show(octets_of(text));
                    (self.free)(text);
                }
                if (self.next)(parts) == 0 {
                    break;
                }
            }
            (self.free_parts)(parts);
            (self.unref)(message);
        }
    }
}

/// The octets of a C string; empty for a null pointer.
unsafe fn octets_of<'c>(string: *mut c_void) -> &'c [u8] {
    if string.is_null() {
        return b"";
    }
    // SAFETY: the caller got the string from a function that returns a NUL-terminated string, and
    // does not keep it beyond that string's lifetime.
    unsafe { CStr::from_ptr(string.cast()) }.to_bytes()
}
