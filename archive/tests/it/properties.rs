//! Random mailboxes, and those that a fuzzer found.

use std::fs;

use proptest::prelude::*;

use crate::law;

/// Lines that are significant in mailboxes, and others.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just(b"From a@example.org Sat Jan  3 01:05:34 1996\n".to_vec()),
        Just(b"From \n".to_vec()),
        Just(b">From me\n".to_vec()),
        Just(b"\x01\x01\x01\x01\n".to_vec()),
        Just(b"BABYL OPTIONS:\n".to_vec()),
        Just(b"\x1F\x0C\n0,,\n*** EOOH ***\n".to_vec()),
        Just(b"\x1F".to_vec()),
        "#! rnews [0-9]{1,2}\n".prop_map(String::into_bytes),
        "[ 1][0-9]-Jan-1996 01:05:34 [+]0000,[0-9]{1,2};00000000[08]000-00000001\r\n"
            .prop_map(String::into_bytes),
        "={73}\r?\n(Date: x\n)?".prop_map(String::into_bytes),
        Just(b"Subject: x\n".to_vec()),
        "Content-Length: [0-9]{1,3}\n".prop_map(String::into_bytes),
        Just(b"\r\n".to_vec()),
        Just(b"\n".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn mailboxes(seed in any::<u8>(), file in file()) {
        law::mbox(&[&[seed], &file[..]].concat());
    }

    /// An MBX mailbox begins with 2,048 octets of its own.
    #[test]
    fn mailboxes_of_mbx(seed in any::<u8>(), file in file()) {
        let header = [&b"*mbx*\r\n"[..], &[0; 2041]].concat();
        law::mbox(&[&[seed], &header[..], &file[..]].concat());
    }
}

#[test]
fn every_property_holds_for_every_file() {
    for file in fs::read_dir("../corpus/malformed").unwrap() {
        let file = fs::read(file.unwrap().path()).unwrap();
        for choice in 0..8_u8 {
            law::mbox(&[&[choice], &file[..]].concat());
        }
    }
}
