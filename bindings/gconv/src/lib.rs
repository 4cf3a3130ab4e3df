//! A module for glibc's `iconv` (`gconv.h`): decodes the charsets of mime-charset that glibc lacks
//! to UTF-8, which glibc converts further.
//!
//! glibc opens the module for a line of `gconv-modules`, calls [`border::gconv_init`] for a step
//! from one charset to another, [`border::gconv`] for octets, and [`border::gconv_end`] when the
//! last descriptor with that step is closed. All `unsafe` is in `border.rs`; `conversion.rs` and
//! `drive.rs` process the octets and use no pointers of glibc.
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#![deny(unsafe_code)]

pub mod border;
mod conversion;
mod drive;
mod states;
