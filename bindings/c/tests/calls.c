/* Each function by itself, and misuse as far as C can detect it. C99 and C++. */
#include <mime_charset.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(EXIT_FAILURE); \
    } \
  } while (0)

static const uint8_t *octets(const char *string) { return (const uint8_t *)string; }

/* Whether the text equals this one, followed by a NUL; frees the text. */
static bool is(mime_charset_text *text, const char *expected) {
  mime_charset_utf8 string = mime_charset_text_string(text);
  bool same = string.data != NULL && string.length == strlen(expected) &&
              memcmp(string.data, expected, string.length + 1) == 0;
  mime_charset_text_free(text);
  return same;
}

static const mime_charset_charset *charset(const char *label) {
  return mime_charset_charset_for_label(label, strlen(label));
}

/* RFC 2978: names and numbers of the registry. */
static void charsets(void) {
  CHECK(strcmp(mime_charset_charset_name(charset("ks_c_5601-1987")).data, "KS_C_5601-1987") == 0);
  CHECK(mime_charset_charset_mibenum(charset("utf-8")) == 106);
  CHECK(charset("utf8") == charset("UTF-8") && charset("no such charset") == NULL);
  CHECK(mime_charset_charset_is_decoded(charset("koi8-r")));
  CHECK(mime_charset_charset_alias(charset("koi8-r"), 0).data != NULL);
  CHECK(mime_charset_charset_alias(charset("koi8-r"), SIZE_MAX).data == NULL);
  CHECK(mime_charset_charset_at(0) != NULL && mime_charset_charset_at(SIZE_MAX) == NULL);
}

/* Texts of every length, stored in the handle or separately, borrowed and decoded. */
static void lengths(void) {
  char ascii[200], base64[300] = "", header[] = "Content-Transfer-Encoding: base64\n\n";
  mime_charset_message *message;
  mime_charset_text *text;
  size_t length;
  memset(ascii, 'a', sizeof ascii);
  for (length = 0; length < sizeof ascii; length++) {
    mime_charset_utf8 string;
    CHECK(mime_charset_decode(octets(ascii), length, "us-ascii", 8, NULL, &text) == MIME_CHARSET_OK);
    string = mime_charset_text_string(text);
    CHECK(string.length == length && string.data[length] == 0 && memcmp(string.data, ascii, length) == 0);
    mime_charset_text_free(text);
  }
  /* Three more octets each time. */
  for (length = 0; length + 3 < sizeof ascii; length += 3) {
    char source[400];
    mime_charset_utf8 string;
    sprintf(source, "%s%s", header, base64);
    CHECK(mime_charset_message_borrow(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
    CHECK(mime_charset_part_text(message, 0, NULL, &text) == MIME_CHARSET_OK);
    mime_charset_message_free(message);
    string = mime_charset_text_string(text);
    CHECK(string.length == length && string.data[length] == 0 && memcmp(string.data, ascii, length) == 0);
    mime_charset_text_free(text);
    strcat(base64, "YWFh");
  }
}

/* Examples of RFC 2047, section 8, and RFC 3501, section 5.1.3. */
static void functions(void) {
  const char *korean = "\xC7\xD1\xB1\xB9\xBE\xEE";
  mime_charset_options options;
  mime_charset_text *text;
  CHECK(mime_charset_decode(octets(korean), 6, "euc-kr", 6, NULL, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4"));
  CHECK(mime_charset_charset_decode(charset("koi8-r"), octets("\xC1"), 1, NULL, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "\xD0\xB0"));
  /* The same octets, which are UTF-8, with the label overridden and trusted. */
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  CHECK(mime_charset_decode(octets("\xC3\xA9"), 2, "iso-8859-1", 10, &options, &text) == MIME_CHARSET_OK);
  CHECK(mime_charset_text_charset(text) == charset("utf-8"));
  CHECK(strcmp(mime_charset_text_source(text).data, "evidence") == 0);
  CHECK(mime_charset_text_finding_count(text) > 0 && !mime_charset_text_has_loss(text));
  CHECK(is(text, "\xC3\xA9"));
  options.trust_label = true;
  CHECK(mime_charset_decode(octets("\xC3\xA9"), 2, "iso-8859-1", 10, &options, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "\xC3\x83\xC2\xA9"));
  options.size = 1;
  CHECK(mime_charset_decode(octets("a"), 1, NULL, 0, &options, &text) == MIME_CHARSET_INVALID && text == NULL);
  CHECK(mime_charset_detect(octets("\xC3\xA9"), 2, &text) == MIME_CHARSET_OK);
  CHECK(mime_charset_text_charset(text) == charset("utf-8") && mime_charset_text_confidence(text) > 0);
  mime_charset_text_free(text);
  CHECK(mime_charset_mailbox_name_decode("~peter/mail/&U,BTFw-/&ZeVnLIqe-", 31, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "~peter/mail/\xE5\x8F\xB0\xE5\x8C\x97/\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"));
  CHECK(mime_charset_mailbox_name_encode("\xE5\x8F\xB0\xE5\x8C\x97", 6, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "&U,BTFw-"));
  CHECK(mime_charset_encode_unstructured("plain", 5, 9, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "plain"));
  CHECK(mime_charset_encode_unstructured("\xFF", 1, 9, &text) == MIME_CHARSET_INVALID);
  CHECK(mime_charset_convert(octets("Subject: a\n\nb\n"), 14, NULL, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "Subject: a\n\nb\n"));
}

/* RFC 2279, section 5; RFC 3629, section 6; RFC 2231, section 4; RFC 2047, section 8. */
static void choices(void) {
  mime_charset_options options;
  mime_charset_text *text;
  const char *syllables = "\xEA\xB5\xAD\xE3\xB2\xA2"; /* one of today, one of before Amendment 5 */
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  CHECK(mime_charset_charset_decode(charset("unicode-1-1-utf-8"), octets(syllables), 6, &options, &text) == MIME_CHARSET_OK);
  CHECK(is(text, syllables));
  options.hangul = MIME_CHARSET_HANGUL_ALWAYS;
  CHECK(mime_charset_charset_decode(charset("unicode-1-1-utf-8"), octets(syllables), 6, &options, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "\xEA\xB5\xAD\xED\x95\x9C"));
  options.hangul = 3;
  CHECK(mime_charset_decode(octets("a"), 1, NULL, 0, &options, &text) == MIME_CHARSET_INVALID);
  options.hangul = MIME_CHARSET_HANGUL_AUTO;
  CHECK(mime_charset_decode(octets("\xEF\xBB\xBF" "a"), 4, "utf-8", 5, &options, &text) == MIME_CHARSET_OK && is(text, "a"));
  options.keep_bom = true;
  CHECK(mime_charset_decode(octets("\xEF\xBB\xBF" "a"), 4, "utf-8", 5, &options, &text) == MIME_CHARSET_OK && is(text, "\xEF\xBB\xBF" "a"));
  options.as_registered = true;
  CHECK(mime_charset_charset_decode(charset("iso-8859-1"), octets("\x80"), 1, &options, &text) == MIME_CHARSET_OK && is(text, "\xC2\x80"));
  CHECK(mime_charset_encode_mailbox("S\xC3\xB8ndergaard", 12, "soren@example.org", 17, 4, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "=?UTF-8?Q?S=C3=B8ndergaard?= <soren@example.org>"));
  CHECK(mime_charset_encode_mailbox("a", 1, "a@b\nBcc: c", 10, 6, &text) == MIME_CHARSET_INVALID && text == NULL);
  CHECK(mime_charset_encode_parameter("filename", 8, "Gr\xC3\xB6\xC3\x9F" "e.txt", 11, 31, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt"));
  CHECK(mime_charset_encode_parameter("file name", 9, "a", 1, 31, &text) == MIME_CHARSET_INVALID);
}

static mime_charset_mailbox mailbox(const char *name, const char *address) {
  mime_charset_mailbox made;
  memset(&made, 0, sizeof made);
  made.name.data = name;
  made.name.length = strlen(name);
  made.address.data = address;
  made.address.length = strlen(address);
  return made;
}

/* Lists of addresses: RFC 5322, section 3.4; RFC 2047, sections 2 and 5. */
static void addresses_to_write(void) {
  enum { MOST = 9 };
  mime_charset_mailbox list[MOST], read;
  mime_charset_addresses *addresses;
  mime_charset_message *message;
  mime_charset_text *text;
  char field[2048] = "To: ";
  size_t at, column;
  /* Zo and C3 AB: eight characters in Q, and as many in B, Wm/Dqw==. A dot in a phrase requires
   * quotes. Up to the second comma the line has 66 characters, and 14 more exceed the 76 of
   * section 2. */
  list[0] = mailbox("Zo\xC3\xAB", "z@example.org");
  list[1] = mailbox("A. B.", "b@example.org");
  list[2] = mailbox("", "c@example.org");
  CHECK(mime_charset_encode_mailboxes(list, 3, 4, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "=?UTF-8?Q?Zo=C3=AB?= <z@example.org>, \"A. B.\" <b@example.org>,\r\n c@example.org"));
  CHECK(mime_charset_encode_mailboxes(NULL, 0, 4, &text) == MIME_CHARSET_OK && is(text, ""));
  CHECK(mime_charset_encode_mailboxes(NULL, 1, 4, &text) == MIME_CHARSET_NULL && text == NULL);
  CHECK(mime_charset_encode_mailboxes(list, SIZE_MAX, 4, &text) == MIME_CHARSET_INVALID);
  list[1].address.data = NULL;
  CHECK(mime_charset_encode_mailboxes(list, 3, 4, &text) == MIME_CHARSET_NULL && text == NULL);
  list[1] = mailbox("a", "a@b\r\nBcc: c");
  CHECK(mime_charset_encode_mailboxes(list, 3, 4, &text) == MIME_CHARSET_INVALID && text == NULL);
  list[1] = mailbox("\xFF", "b@example.org");
  CHECK(mime_charset_encode_mailboxes(list, 3, 4, &text) == MIME_CHARSET_INVALID);
  /* Written addresses are read back. Lines have at most 76 characters, and continuation lines
   * begin with a blank. */
  for (at = 0; at < MOST; at++) list[at] = mailbox("\xED\x95\x9C, \"\xEA\xB5\xAD\" \xEC\x96\xB4", "kim@example.org");
  CHECK(mime_charset_encode_mailboxes(list, MOST, 4, &text) == MIME_CHARSET_OK);
  strcat(strcat(field, mime_charset_text_string(text).data), "\r\n\r\n");
  mime_charset_text_free(text);
  for (at = column = 0; field[at] != '\r' || field[at + 2] != '\r'; at++) {
    CHECK(++column <= 76);
    if (field[at] == '\r' && field[at + 1] == '\n') {
      CHECK(field[at + 2] == ' ');
      at++;
      column = 0;
    }
  }
  CHECK(mime_charset_message_borrow(octets(field), strlen(field), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_field_addresses(message, 0, 0, NULL, &addresses) == MIME_CHARSET_OK);
  CHECK(mime_charset_addresses_count(addresses) == MOST);
  for (at = 0; at < MOST; at++) {
    CHECK(mime_charset_addresses_at(addresses, at, &read) == MIME_CHARSET_OK);
    CHECK(strcmp(read.name.data, list[at].name.data) == 0 && strcmp(read.address.data, "kim@example.org") == 0);
    list[at] = read;
  }
  /* Addresses that were read can be written unchanged. */
  CHECK(mime_charset_encode_mailboxes(list, MOST, 4, &text) == MIME_CHARSET_OK);
  field[strlen(field) - 4] = '\0';
  CHECK(is(text, field + 4));
  mime_charset_addresses_free(addresses);
  mime_charset_message_free(message);
}

/* RFC 5322, section 3.4 and appendix A.1.3, with blanks where this library writes them. */
static void groups_to_write(void) {
  mime_charset_mailbox list[5];
  mime_charset_text *text;
  list[0] = mailbox("Ed Jones", "joe@where.test");
  list[1] = mailbox("", "joe@where.test");
  list[2] = mailbox("John", "jdoe@one.test");
  list[3] = mailbox("", "c@example.org");
  list[4] = mailbox("", "");
  list[4].address.data = NULL;
  list[0].group = list[1].group = list[2].group = mailbox("A Group", "").name;
  list[4].group = mailbox("Undisclosed recipients", "").name;
  CHECK(mime_charset_encode_mailboxes(list, 3, 4, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "A Group: Ed Jones <joe@where.test>, joe@where.test,\r\n John <jdoe@one.test>;"));
  CHECK(mime_charset_encode_mailboxes(list + 2, 3, 4, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "A Group: John <jdoe@one.test>;, c@example.org, Undisclosed recipients:;"));
  CHECK(mime_charset_encode_mailboxes(list + 4, 1, 4, &text) == MIME_CHARSET_OK && is(text, "Undisclosed recipients:;"));
  list[4].group.data = NULL;
  /* NULL without octets is empty, which is not an address. */
  CHECK(mime_charset_encode_mailboxes(list + 4, 1, 4, &text) == MIME_CHARSET_INVALID && text == NULL);
  list[3].group = mailbox("\xFF", "").name;
  CHECK(mime_charset_encode_mailboxes(list + 3, 1, 4, &text) == MIME_CHARSET_INVALID && text == NULL);
}

/* The changes of a conversion, and the evidence for a charset. */
static void reasons(void) {
  const char *source = "Subject: a\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xF0\xD2\xC9\n";
  mime_charset_message *message;
  mime_charset_evidence evidence;
  mime_charset_change change;
  mime_charset_text *text;
  size_t index, children[2] = {9, 9};
  bool body = false;
  CHECK(mime_charset_message_borrow(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_part_decide(message, 0, NULL, &text) == MIME_CHARSET_OK);
  CHECK(mime_charset_text_evidence_count(text) > 0);
  CHECK(mime_charset_text_evidence(text, 0, &evidence) == MIME_CHARSET_OK);
  CHECK(evidence.charset == charset("koi8-r") && strcmp(evidence.kind.data, "label") == 0);
  CHECK(mime_charset_text_evidence(text, SIZE_MAX, &evidence) == MIME_CHARSET_INVALID);
  mime_charset_text_free(text);
  CHECK(mime_charset_part_children(message, 0, children, 2) == 0 && children[0] == 9);
  CHECK(mime_charset_part_children(message, 7, NULL, 0) == 0);
  mime_charset_message_free(message);
  CHECK(mime_charset_convert(octets(source), strlen(source), NULL, &text) == MIME_CHARSET_OK);
  for (index = 0; index < mime_charset_text_change_count(text); index++) {
    mime_charset_utf8 after = mime_charset_text_string(text);
    CHECK(mime_charset_text_change(text, index, &change) == MIME_CHARSET_OK);
    CHECK(change.before + change.before_length <= strlen(source));
    CHECK(change.after + change.after_length <= after.length);
    body = body || (change.field.data == NULL && change.charset == charset("koi8-r"));
  }
  CHECK(body && mime_charset_text_change(text, index, &change) == MIME_CHARSET_INVALID);
  mime_charset_text_free(text);
}

static void messages(void) {
  const char *source = "Subject: =?ISO-8859-1?Q?a?=\nFrom: Group: Kim <kim@example.org>;\n"
                       "Content-Type: multipart/mixed; boundary=b\n\n"
                       "--b\n\none\n--b\nContent-Type: text/plain; name=x.txt\n\ntwo\n--b--\n";
  mime_charset_message *message;
  mime_charset_addresses *addresses;
  mime_charset_mailbox mailbox;
  mime_charset_octets name, body;
  mime_charset_text *text;
  size_t shown[4];
  CHECK(mime_charset_message_borrow(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_message_octets(message).data == octets(source));
  CHECK(mime_charset_part_count(message) == 3 && mime_charset_part_is_multipart(message, 0));
  CHECK(mime_charset_part_children(message, 0, shown, 1) == 2 && shown[0] == 1);
  CHECK(mime_charset_part_parent(message, 2) == 0 && mime_charset_part_parent(message, 0) == SIZE_MAX);
  CHECK(mime_charset_part_is_text(message, 1) && !mime_charset_part_is_text(message, 0));
  CHECK(!mime_charset_part_is_message(message, 0));
  CHECK(mime_charset_part_media_type(message, 0, &text) == MIME_CHARSET_OK && is(text, "multipart/mixed"));
  CHECK(mime_charset_message_findings(message, &text) == MIME_CHARSET_OK);
  CHECK(mime_charset_text_finding_count(text) == 0 && mime_charset_text_findings_omitted(text) == 0);
  mime_charset_text_free(text);
  name = mime_charset_field_name(message, 0, 0);
  body = mime_charset_field_body(message, 0, 0);
  CHECK(name.length == 7 && memcmp(name.data, "Subject", 7) == 0);
  CHECK(body.length == strlen(" =?ISO-8859-1?Q?a?=") && memcmp(body.data, " =?ISO-8859-1?Q?a?=", body.length) == 0);
  CHECK(mime_charset_field_find(message, 0, "FROM", 4, 0) == 1);
  CHECK(mime_charset_field_find(message, 0, "FROM", 4, 2) == SIZE_MAX);
  CHECK(mime_charset_field_text(message, 0, 0, NULL, &text) == MIME_CHARSET_OK && is(text, "a"));
  CHECK(mime_charset_field_named_text(message, 0, "sUBJECT", 7, NULL, &text) == MIME_CHARSET_OK && is(text, "a"));
  CHECK(mime_charset_field_named_text(message, 2, "Subject", 7, NULL, &text) == MIME_CHARSET_NONE && text == NULL);
  CHECK(mime_charset_field_named_text(message, 3, "Subject", 7, NULL, &text) == MIME_CHARSET_INVALID && text == NULL);
  CHECK(mime_charset_field_named_text(message, 0, NULL, 7, NULL, &text) == MIME_CHARSET_NULL && text == NULL);
  CHECK(mime_charset_field_named_text(message, 0, "Subject", 6, NULL, &text) == MIME_CHARSET_NONE);
  CHECK(mime_charset_field_named_text(message, 0, "\xFF", 1, NULL, &text) == MIME_CHARSET_NONE);
  CHECK(mime_charset_field_named_addresses(message, 0, "To", 2, NULL, &addresses) == MIME_CHARSET_NONE && addresses == NULL);
  CHECK(mime_charset_field_named_addresses(message, 0, "from", 4, NULL, &addresses) == MIME_CHARSET_OK);
  CHECK(mime_charset_addresses_count(addresses) == 1);
  mime_charset_addresses_free(addresses);
  CHECK(mime_charset_field_addresses(message, 0, 1, NULL, &addresses) == MIME_CHARSET_OK);
  CHECK(mime_charset_addresses_count(addresses) == 1);
  CHECK(mime_charset_addresses_at(addresses, 0, &mailbox) == MIME_CHARSET_OK);
  CHECK(strcmp(mailbox.name.data, "Kim") == 0 && strcmp(mailbox.group.data, "Group") == 0);
  CHECK(strcmp(mailbox.address.data, "kim@example.org") == 0);
  CHECK(mime_charset_addresses_at(addresses, 1, &mailbox) == MIME_CHARSET_INVALID);
  mime_charset_addresses_free(addresses);
  CHECK(mime_charset_part_text(message, 1, NULL, &text) == MIME_CHARSET_OK && is(text, "one"));
  CHECK(mime_charset_part_section(message, 2, &text) == MIME_CHARSET_OK && is(text, "2"));
  CHECK(mime_charset_part_filename(message, 2, NULL, &text) == MIME_CHARSET_OK && is(text, "x.txt"));
  CHECK(mime_charset_part_filename(message, 1, NULL, &text) == MIME_CHARSET_NONE && text == NULL);
  CHECK(mime_charset_part_text(message, 3, NULL, &text) == MIME_CHARSET_INVALID);
  CHECK(mime_charset_part_reading_text(message, 3, NULL, &text) == MIME_CHARSET_INVALID);
  CHECK(mime_charset_part_reading_text(message, 1, NULL, &text) == MIME_CHARSET_OK && is(text, "one"));
  CHECK(mime_charset_part_preview(message, 1, 2, NULL, &text) == MIME_CHARSET_OK && is(text, "on"));
  CHECK(mime_charset_part_filename_to_save(message, 2, &text) == MIME_CHARSET_OK && is(text, "x.txt"));
  CHECK(mime_charset_message_id(message, &text) == MIME_CHARSET_NONE && text == NULL);
  CHECK(mime_charset_message_thread_key(NULL, &text) == MIME_CHARSET_NULL);
  /* RFC 8621, section 4.1.4: a text with a name after the first text is an attachment. */
  CHECK(mime_charset_message_shown(message, MIME_CHARSET_SHOW_ATTACHMENTS, shown, 4) == 1 && shown[0] == 2);
  CHECK(mime_charset_message_shown(message, MIME_CHARSET_SHOW_TEXT, NULL, 0) == 1);
  CHECK(mime_charset_message_shown(message, 9, shown, 4) == 0);
  CHECK(mime_charset_part_octets(message, 2, &text) == MIME_CHARSET_OK);
  mime_charset_message_free(message);
  /* A text outlives its message. */
  CHECK(is(text, "two"));
}

/* RFC 5322, appendix A.1.1 and A.2: a date six hours behind UTC, identifiers of a thread. 21 November 1997,
 * 15:55:06 UTC is 10,186 days and 57,306 seconds after the epoch. */
static void dates(void) {
  const char *source = "Received: from x by y; Fri, 21 Nov 1997 10:01:22 -0600\n"
                       "Date: Fri, 21 Nov 1997 09:55:06 -0600\nMessage-ID: <3456@example.net>\n"
                       "References: <1234@local.machine.example> <2345@a.b>\n\n";
  mime_charset_message *message = NULL;
  mime_charset_text *text = NULL;
  mime_charset_date date;
  CHECK(mime_charset_message_borrow(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_message_date(message, &date) == MIME_CHARSET_OK);
  CHECK(date.unix_seconds == 10186 * (int64_t)86400 + 57306 && date.offset == -360);
  CHECK(date.year == 1997 && date.month == 11 && date.day == 21);
  CHECK(date.hour == 9 && date.minute == 55 && date.second == 6);
  CHECK(mime_charset_message_received_date(message, &date) == MIME_CHARSET_OK && date.second == 22);
  CHECK(mime_charset_message_id(message, &text) == MIME_CHARSET_OK && is(text, "3456@example.net"));
  CHECK(mime_charset_message_thread_key(message, &text) == MIME_CHARSET_OK);
  CHECK(is(text, "1234@local.machine.example"));
  CHECK(mime_charset_message_date(message, NULL) == MIME_CHARSET_NULL);
  CHECK(mime_charset_message_date(NULL, &date) == MIME_CHARSET_NULL);
  mime_charset_message_free(message);
  source = "Date: soon -0000\n\n";
  CHECK(mime_charset_message_borrow(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_message_date(message, &date) == MIME_CHARSET_NONE);
  mime_charset_message_free(message);
}

/* RFC 2045, section 6.8: an exclamation mark is not base64. Its offset counts octets of the message. */
static void places(void) {
  const char *source = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUJD!REVG\n";
  mime_charset_message *message;
  mime_charset_text *text;
  mime_charset_finding finding;
  CHECK(mime_charset_message_copy(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_part_octets(message, 0, &text) == MIME_CHARSET_OK);
  mime_charset_message_free(message);
  CHECK(mime_charset_text_finding(text, 0, &finding) == MIME_CHARSET_OK);
  CHECK(strcmp(finding.kind.data, "base64-skipped") == 0 && strcmp(finding.within.data, "source") == 0);
  CHECK(finding.offset == (size_t)(strchr(source, '!') - source));
  CHECK(is(text, "ABCDEF"));
}

/* The result does not depend on the room for the output or the pieces of the input. */
static void pieces(void) {
  const char *korean = "\xC7\xD1\xB1\xB9\xBE\xEE";
  size_t room, step;
  for (step = 1; step <= 6; step++) {
    for (room = 3; room <= 10; room++) {
      char text[16] = "", *end = text;
      size_t given = 0;
      mime_charset_decoder *decoder;
      mime_charset_text *rest;
      CHECK(mime_charset_decoder_new(charset("euc-kr"), NULL, &decoder) == MIME_CHARSET_OK);
      while (given < 6) {
        const uint8_t *in = octets(korean) + given;
        size_t in_left = step < 6 - given ? step : 6 - given;
        int32_t status;
        given += in_left;
        do {
          size_t left = room;
          status = mime_charset_decoder_convert(decoder, &in, &in_left, &end, &left);
          CHECK(status == MIME_CHARSET_OK || (status == MIME_CHARSET_FULL && left < 3));
        } while (status == MIME_CHARSET_FULL);
        CHECK(in_left == 0 && in == octets(korean) + given);
      }
      CHECK(mime_charset_decoder_finish(decoder, &rest) == MIME_CHARSET_OK);
      strcpy(end, mime_charset_text_string(rest).data);
      mime_charset_text_free(rest);
      CHECK(strcmp(text, "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4") == 0);
      CHECK(mime_charset_decoder_finish(decoder, &rest) == MIME_CHARSET_INVALID);
      mime_charset_decoder_free(decoder);
    }
  }
}

/* POSIX, uuencode: three octets are four characters, and `Cat` is `0V%T`. */
static void uuencoded(void) {
  static const char source[] = "Content-Type: text/plain\n\nSee\nbegin 644 cat.txt\n#0V%TX\n`\nend\n";
  mime_charset_message *message;
  mime_charset_uuencoded *files;
  mime_charset_file file;
  mime_charset_text *text;
  CHECK(mime_charset_message_copy(octets(source), strlen(source), &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_part_uuencoded(message, 0, NULL, &files) == MIME_CHARSET_OK);
  CHECK(mime_charset_uuencoded_count(files) == 1);
  CHECK(mime_charset_uuencoded_at(files, 0, &file) == MIME_CHARSET_OK);
  CHECK(strcmp(file.name.data, "cat.txt") == 0 && file.offset == 4 && file.length == 18 + 7 + 2 + 4);
  CHECK(mime_charset_uuencoded_octets(files, 0, &text) == MIME_CHARSET_OK);
  CHECK(mime_charset_text_finding_count(text) == 1);
  CHECK(is(text, "Cat"));
  CHECK(mime_charset_uuencoded_at(files, 1, &file) == MIME_CHARSET_INVALID);
  CHECK(mime_charset_uuencoded_octets(files, 1, &text) == MIME_CHARSET_INVALID && text == NULL);
  mime_charset_uuencoded_free(files);
  CHECK(mime_charset_part_uuencoded(message, 1, NULL, &files) != MIME_CHARSET_OK && files == NULL);
  CHECK(mime_charset_part_uuencoded(NULL, 0, NULL, &files) == MIME_CHARSET_NULL && files == NULL);
  CHECK(mime_charset_uuencoded_count(NULL) == 0);
  mime_charset_message_free(message);
}

static void misuse(void) {
  mime_charset_text *text;
  mime_charset_message *message;
  mime_charset_finding finding;
  CHECK(mime_charset_decode(NULL, 0, NULL, 0, NULL, &text) == MIME_CHARSET_OK && is(text, ""));
  CHECK(mime_charset_decode(NULL, 1, NULL, 0, NULL, &text) == MIME_CHARSET_NULL && text == NULL);
  CHECK(mime_charset_decode(octets("a"), 1, NULL, 0, NULL, NULL) == MIME_CHARSET_NULL);
  CHECK(mime_charset_charset_decode(NULL, octets("a"), 1, NULL, &text) == MIME_CHARSET_NULL);
  CHECK(mime_charset_message_copy(NULL, 0, &message) == MIME_CHARSET_OK);
  CHECK(mime_charset_part_count(message) == 1 && mime_charset_field_count(message, 0) == 0);
  mime_charset_message_free(message);
  CHECK(mime_charset_part_text(NULL, 0, NULL, &text) == MIME_CHARSET_NULL);
  CHECK(mime_charset_field_text(NULL, 0, 0, NULL, &text) == MIME_CHARSET_NULL);
  CHECK(mime_charset_decoder_finish(NULL, &text) == MIME_CHARSET_NULL);
  CHECK(mime_charset_decoder_convert(NULL, NULL, NULL, NULL, NULL) == MIME_CHARSET_NULL);
  CHECK(mime_charset_text_finding(NULL, 0, &finding) == MIME_CHARSET_NULL);
  CHECK(mime_charset_text_string(NULL).data == NULL && mime_charset_charset_name(NULL).data == NULL);
  CHECK(mime_charset_part_count(NULL) == 0 && mime_charset_part_parent(NULL, 0) == SIZE_MAX);
  mime_charset_message_free(NULL);
  mime_charset_text_free(NULL);
  mime_charset_decoder_free(NULL);
  mime_charset_addresses_free(NULL);
}

int main(void) {
  CHECK(mime_charset_version()[0] != '\0');
  charsets();
  functions();
  lengths();
  choices();
  addresses_to_write();
  groups_to_write();
  reasons();
  messages();
  dates();
  places();
  pieces();
  uuencoded();
  misuse();
  return EXIT_SUCCESS;
}
