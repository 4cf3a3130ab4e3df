//! The system's own converters: `iconv` of the C library, and ICU where it is installed. ICU
//! is looked for when running, by the numbers of its releases, so that the benchmark builds
//! without it.

#![expect(unsafe_code, reason = "both speak C")]

use std::ffi::{CString, c_char, c_int, c_void};

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

/// What `iconv` makes of `octets`, or `None` where it does not know a charset or stops.
pub fn iconv_from(from: &str, to: &str, octets: &[u8]) -> Option<Vec<u8>> {
    let (from, to) = (CString::new(from).ok()?, CString::new(to).ok()?);
    // SAFETY: both names end in NUL and live until the call returns.
    let converter = unsafe { iconv_open(to.as_ptr(), from.as_ptr()) };
    if converter.addr() == usize::MAX {
        return None;
    }
    // Four octets of output for each of input, and some for the last escape.
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
    /// The newest ICU that is installed.
    pub fn load() -> Option<Icu> {
        (50..=99).rev().find_map(|release| {
            // SAFETY: ICU's library has no initializers that could do harm; the functions are
            // looked up by their names in that release and have the types of its header
            // `unicode/ucnv.h`, which have not changed since release 4.
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

    /// What ICU makes of `octets`, in UTF-8; `None` where it does not know the charset.
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
