//! File names for a part.

use super::part::Part;
use crate::charset::Options;
use crate::decode::FieldText;
use crate::header::safe_filename;

/// Media types that are common in mail, each with its extension.
const EXTENSIONS: &str = "\
application/ms-tnef dat
application/msword doc
application/pdf pdf
application/pgp-signature asc
application/pkcs7-mime p7m
application/pkcs7-signature p7s
application/vnd.ms-excel xls
application/vnd.ms-powerpoint ppt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/zip zip
audio/mpeg mp3
image/gif gif
image/jpeg jpg
image/png png
image/svg+xml svg
image/tiff tif
message/delivery-status txt
message/disposition-notification txt
message/global eml
message/rfc822 eml
text/calendar ics
text/csv csv
text/html html
text/rtf rtf
text/vcard vcf
text/xml xml
video/mp4 mp4";

impl Part<'_> {
    /// The file names of the part, decoded with default [`Options`], best first, without duplicates:
    /// the extended and the plain `filename` of the Content-Disposition (RFC 2183, section 2.3; RFC
    /// 2231), then the extended and the plain `name` of the Content-Type.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: text/plain; name=\"letter.txt\"\n\
    ///       Content-Disposition: attachment; filename=\"Grosse.txt\";\n\
    ///       \x20filename*=utf-8''Gr%C3%B6%C3%9Fe.txt\n\n",
    /// );
    /// let part = message.root();
    /// assert_eq!(part.filenames(), ["Größe.txt", "Grosse.txt", "letter.txt"]);
    /// assert_eq!(part.filename_to_save(), "Größe.txt");
    /// ```
    #[must_use]
    pub fn filenames(self) -> Vec<FieldText<'static>> {
        let header = self.mime_header();
        let entity = self.entity();
        let disposition = header.content_disposition.as_ref();
        let filename = disposition.and_then(|field| field.parameter("filename"));
        let name = header.content_type.parameter("name");
        let mut names: Vec<FieldText<'static>> = Vec::new();
        for (parameter, range) in [
            (filename, entity.content_disposition.as_ref()),
            (name, entity.content_type.as_ref()),
        ] {
            let (Some(parameter), Some(range)) = (parameter, range) else {
                continue;
            };
            let plain = parameter.plain_parameter();
            for parameter in [Some(parameter), plain.as_ref()].into_iter().flatten() {
                let name = self.name_in(parameter, range, &Options::new());
                if names.iter().all(|known| known.as_str() != name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// A file name that is safe to save the part under, never empty: the first of
    /// [`filenames`](Part::filenames) that [`header::safe_filename`](crate::header::safe_filename)
    /// accepts. Otherwise the subject of an embedded message, as `.eml`, or else the section number
    /// with an extension for the media type.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=b\n\n\
    ///       --b\nContent-Type: message/rfc822\n\nSubject: =?utf-8?Q?Re:_a/b?=\n\n\
    ///       --b\nContent-Type: text/html\n\n\
    ///       --b\nContent-Disposition: attachment; filename=\"../nul.txt\"\n\n\
    ///       --b--",
    /// );
    /// let names: Vec<_> = message.root().children().map(|part| part.filename_to_save()).collect();
    /// assert_eq!(names, ["Re_ a_b.eml", "part-2.html", "_nul.txt"]);
    /// ```
    #[must_use]
    pub fn filename_to_save(self) -> String {
        let given = self
            .filenames()
            .into_iter()
            .find_map(|name| safe_filename(name.as_str(), ""));
        given.or_else(|| self.subject_to_save()).unwrap_or_else(|| {
            let media_type = self.media_type();
            let mut known = EXTENSIONS.lines().filter_map(|line| line.split_once(' '));
            let known = known.find(|(known, _)| *known == media_type);
            let extension = match known {
                Some((_, extension)) => extension,
                None if self.is_text() => "txt",
                None => "bin",
            };
            format!("part-{}.{extension}", self.section())
        })
    }

    /// The embedded message's subject as a file name.
    fn subject_to_save(self) -> Option<String> {
        safe_filename(self.inner()?.field("Subject")?.text().as_str(), "eml")
    }
}
