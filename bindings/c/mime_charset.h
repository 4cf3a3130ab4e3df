/* mime_charset.h: exact text out of mail. Made by cbindgen out of bindings/c/src; do not edit.
 *
 * Handles are made by functions that return a status and write to their last argument, NULL where
 * they fail, and each is freed by its own function; to free NULL does nothing. A handle that is NULL
 * is told as MIME_CHARSET_NULL, or gives nothing. Undefined: a handle that was freed or is of another
 * kind, a pointer to fewer octets than its length says.
 *
 * There is no state but constant tables, and no locale. Any thread may read any handle but a decoder,
 * which one thread at a time may use; nobody may use a handle while it is freed.
 */

#ifndef MIME_CHARSET_H
#define MIME_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The parts that are shown where plain text is preferred (RFC 8621, section 4.1.4).
 */
#define MIME_CHARSET_SHOW_TEXT 0

/**
 * The parts that are shown where HTML is preferred.
 */
#define MIME_CHARSET_SHOW_HTML 1

/**
 * The parts that are attached.
 */
#define MIME_CHARSET_SHOW_ATTACHMENTS 2

/**
 * Old Hangul under a Unicode 1.1 label is moved unless the text shows that the label is wrong.
 */
#define MIME_CHARSET_HANGUL_AUTO 0

/**
 * All of it is moved (RFC 2279, section 5).
 */
#define MIME_CHARSET_HANGUL_ALWAYS 1

/**
 * None of it is moved.
 */
#define MIME_CHARSET_HANGUL_NEVER 2

/**
 * It is done.
 */
#define MIME_CHARSET_OK 0

/**
 * A pointer is NULL that must not be.
 */
#define MIME_CHARSET_NULL 1

/**
 * An argument is wrong: an index past the end, text that is not UTF-8, a size of options that no
 * version had, more octets than memory can hold.
 */
#define MIME_CHARSET_INVALID 2

/**
 * There is no such thing: the part has no file name, or no field of this name.
 */
#define MIME_CHARSET_NONE 3

/**
 * The output is full: make room and call again.
 */
#define MIME_CHARSET_FULL 4

/**
 * The library failed, which is a fault of its own. The handle may be freed and no more.
 */
#define MIME_CHARSET_PANIC 5

/**
 * The mailboxes of a field, those of groups too. Freed with `mime_charset_addresses_free`.
 */
typedef struct mime_charset_addresses mime_charset_addresses;

/**
 * A charset. It is static: never freed, and the same pointer whenever it is asked for.
 */
typedef struct mime_charset_charset mime_charset_charset;

/**
 * Decodes in pieces. Freed with `mime_charset_decoder_free`; one thread at a time.
 */
typedef struct mime_charset_decoder mime_charset_decoder;

/**
 * A message, taken apart. Freed with `mime_charset_message_free`. Its entities are told apart by
 * their place in document order; 0 is the message itself.
 */
typedef struct mime_charset_message mime_charset_message;

/**
 * What a function found: text or octets, the charset they were in, on whose word, and the findings.
 * Freed with `mime_charset_text_free`; it needs nothing else to live on.
 */
typedef struct mime_charset_text mime_charset_text;

/**
 * Text in UTF-8, or octets where a function says so. A NUL stands at `data[length]`; text may have
 * NULs of its own. What owns it is said by the function that gives it. `data` is NULL where there is
 * no such text.
 */
typedef struct mime_charset_utf8 {
  /**
   * The octets.
   */
  const char *data;
  /**
   * How many they are, without the NUL.
   */
  size_t length;
} mime_charset_utf8;

/**
 * One mailbox. Its strings belong to the addresses that it was asked of, or to whoever filled it in.
 */
typedef struct mime_charset_mailbox {
  /**
   * The display name, decoded; empty where there is none.
   */
  struct mime_charset_utf8 name;
  /**
   * The address, such as `kim@example.org`.
   */
  struct mime_charset_utf8 address;
  /**
   * The name of the group it stands in; `data` is NULL outside of groups.
   */
  struct mime_charset_utf8 group;
} mime_charset_mailbox;

/**
 * One change of a conversion: octets of the message before it, and those that stand for them in the
 * message after it. All other octets are the same. Its strings belong to the text that it was asked of.
 */
typedef struct mime_charset_change {
  /**
   * The section number of the entity, as `mime_charset_part_section` gives it.
   */
  struct mime_charset_utf8 section;
  /**
   * The name of the field; `data` is NULL for a body.
   */
  struct mime_charset_utf8 field;
  /**
   * The charset that was read.
   */
  const struct mime_charset_charset *charset;
  /**
   * On whose word, as `mime_charset_text_source` says it.
   */
  struct mime_charset_utf8 source;
  /**
   * Where the octets begin and how many they are, before.
   */
  size_t before;
  /**
   * See `before`.
   */
  size_t before_length;
  /**
   * The same, after.
   */
  size_t after;
  /**
   * See `after`.
   */
  size_t after_length;
} mime_charset_change;

/**
 * How to read. Set all of it to zero, then `size`. NULL in place of options means the defaults.
 * A later version may add members at the end, and takes the size of this one.
 */
typedef struct mime_charset_options {
  /**
   * `sizeof(mime_charset_options)`, which says what members the caller knows.
   */
  size_t size;
  /**
   * A charset to take where the octets leave it open; NULL for none.
   */
  const struct mime_charset_charset *hint;
  /**
   * The charset that everything is read in, whatever the message says; NULL for none.
   */
  const struct mime_charset_charset *force;
  /**
   * Believe the label where the octets contradict it.
   */
  bool trust_label;
  /**
   * The octets are the beginning of more.
   */
  bool partial;
  /**
   * Keep a byte order mark as U+FEFF.
   */
  bool keep_bom;
  /**
   * Read labels as they are registered, and not as mail uses them.
   */
  bool as_registered;
  /**
   * One of `MIME_CHARSET_HANGUL_...`.
   */
  uint8_t hangul;
} mime_charset_options;

/**
 * One thing that spoke for or against a charset. Its strings belong to the text that it was asked of.
 */
typedef struct mime_charset_evidence {
  /**
   * What it stands on, as in docs/json.md.
   */
  struct mime_charset_utf8 kind;
  /**
   * Whether it spoke for the charset or against it.
   */
  struct mime_charset_utf8 side;
  /**
   * The charset that it spoke of; NULL for none.
   */
  const struct mime_charset_charset *charset;
  /**
   * How many octets lie before those it speaks of.
   */
  size_t offset;
  /**
   * How many octets it speaks of; 0 for all or none of them.
   */
  size_t length;
  /**
   * What exactly was seen.
   */
  struct mime_charset_utf8 detail;
} mime_charset_evidence;

/**
 * Octets out of a message, without a NUL behind them.
 */
typedef struct mime_charset_octets {
  /**
   * The octets; NULL where there are none to speak of.
   */
  const uint8_t *data;
  /**
   * How many they are.
   */
  size_t length;
} mime_charset_octets;

/**
 * One thing that was noticed. Its strings belong to the text that it was asked of.
 */
typedef struct mime_charset_finding {
  /**
   * Its name, as in docs/findings.md.
   */
  struct mime_charset_utf8 kind;
  /**
   * `noted`, `assumed`, `repaired` or `lost`.
   */
  struct mime_charset_utf8 effect;
  /**
   * What the offset counts octets of: `source` or `octets`.
   */
  struct mime_charset_utf8 within;
  /**
   * How many octets lie before those it speaks of.
   */
  size_t offset;
  /**
   * How many octets it speaks of.
   */
  size_t length;
  /**
   * What exactly was seen.
   */
  struct mime_charset_utf8 detail;
} mime_charset_finding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * How many mailboxes there are.
 *
 * Requires: `addresses` are NULL or have not been freed.
 */
size_t mime_charset_addresses_count(const struct mime_charset_addresses *addresses);

/**
 * A mailbox by its place, from 0.
 *
 * Requires: `addresses` are NULL or have not been freed; a mailbox may be written to `out`.
 */
int32_t mime_charset_addresses_at(const struct mime_charset_addresses *addresses,
                                  size_t index,
                                  struct mime_charset_mailbox *out);

/**
 * Frees addresses.
 *
 * Requires: `addresses` are NULL or have not been freed.
 */
void mime_charset_addresses_free(struct mime_charset_addresses *addresses);

/**
 * How many changes a conversion made; 0 for what is no conversion.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_change_count(const struct mime_charset_text *text);

/**
 * A change by its place, from 0, in the order of the message.
 *
 * Requires: `text` is NULL or a text that has not been freed; a change may be written to `out`.
 */
int32_t mime_charset_text_change(const struct mime_charset_text *text,
                                 size_t index,
                                 struct mime_charset_change *out);

/**
 * The charset that a label of mail means: a name of the IANA registry, an alias, or a damaged
 * spelling of one; NULL where it means none.
 *
 * Requires: `length` octets may be read at `label`.
 */
const struct mime_charset_charset *mime_charset_charset_for_label(const char *label, size_t length);

/**
 * Every charset by its place, from 0; NULL past the last. The order may differ in another version.
 */
const struct mime_charset_charset *mime_charset_charset_at(size_t index);

/**
 * The preferred MIME name (RFC 2978); static.
 *
 * Requires: `charset` is NULL or a charset of this library.
 */
struct mime_charset_utf8 mime_charset_charset_name(const struct mime_charset_charset *charset);

/**
 * A label of the charset by its place, from 0; static. `data` is NULL past the last.
 *
 * Requires: `charset` is NULL or a charset of this library.
 */
struct mime_charset_utf8 mime_charset_charset_alias(const struct mime_charset_charset *charset,
                                                    size_t index);

/**
 * The number in the IANA registry (MIBenum, RFC 3808); 0 for a charset that is not registered.
 *
 * Requires: `charset` is NULL or a charset of this library.
 */
uint16_t mime_charset_charset_mibenum(const struct mime_charset_charset *charset);

/**
 * Whether the charset is decoded; of some, no table was ever published.
 *
 * Requires: `charset` is NULL or a charset of this library.
 */
bool mime_charset_charset_is_decoded(const struct mime_charset_charset *charset);

/**
 * A decoder at the start of a text.
 *
 * Requires: `charset` is NULL or a charset of this library; `options` are NULL or options; a pointer may be
 * written to `out`.
 */
int32_t mime_charset_decoder_new(const struct mime_charset_charset *charset,
                                 const struct mime_charset_options *options,
                                 struct mime_charset_decoder **out);

/**
 * Decodes from `*in` to `*out`, and moves both on, as iconv does: `*in_left` and `*out_left` say how
 * many octets are left. Characters are never cut. `MIME_CHARSET_FULL` where there was no room for
 * the next; what is malformed becomes U+FFFD and a finding. Octets taken may still be waiting for
 * those that follow them: `mime_charset_decoder_finish` gives the rest.
 *
 * Requires: `decoder` is NULL or a decoder that has not been freed; the others are NULL or point to what they
 * are named for; the two buffers do not overlap.
 */
int32_t mime_charset_decoder_convert(struct mime_charset_decoder *decoder,
                                     const uint8_t **in,
                                     size_t *in_left,
                                     char **out,
                                     size_t *out_left);

/**
 * Ends the text: what has not been handed over, and the findings of all of it, whose offsets count
 * the octets of all pieces. `MIME_CHARSET_INVALID` the second time.
 *
 * Requires: `decoder` is NULL or a decoder that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_decoder_finish(struct mime_charset_decoder *decoder,
                                    struct mime_charset_text **out);

/**
 * Frees a decoder.
 *
 * Requires: `decoder` is NULL or a decoder that has not been freed.
 */
void mime_charset_decoder_free(struct mime_charset_decoder *decoder);

/**
 * How much evidence there is: behind a decision, else 0.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_evidence_count(const struct mime_charset_text *text);

/**
 * A piece of evidence by its place, from 0, in the order in which it was asked for.
 *
 * Requires: `text` is NULL or a text that has not been freed; evidence may be written to `out`.
 */
int32_t mime_charset_text_evidence(const struct mime_charset_text *text,
                                   size_t index,
                                   struct mime_charset_evidence *out);

/**
 * How many fields the header of an entity has.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_field_count(const struct mime_charset_message *message, size_t part);

/**
 * The place of the first field of this name, in any case, at the place `from` or behind it; `SIZE_MAX`
 * where there is none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `length` octets may be read at `name`.
 */
size_t mime_charset_field_find(const struct mime_charset_message *message,
                               size_t part,
                               const char *name,
                               size_t length,
                               size_t from);

/**
 * The name of a field as it is written. Belongs to `message`.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
struct mime_charset_octets mime_charset_field_name(const struct mime_charset_message *message,
                                                   size_t part,
                                                   size_t field);

/**
 * The body of a field as it is written, folds too. Belongs to `message`.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
struct mime_charset_octets mime_charset_field_body(const struct mime_charset_message *message,
                                                   size_t part,
                                                   size_t field);

/**
 * The text of a field: unfolded, its encoded words decoded (RFC 2047).
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_field_text(const struct mime_charset_message *message,
                                size_t part,
                                size_t field,
                                const struct mime_charset_options *options,
                                struct mime_charset_text **out);

/**
 * The text of the first field of this name, in any case, as `mime_charset_field_text` gives it;
 * `MIME_CHARSET_NONE` where there is none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `length` octets may be read at `name`;
 * `options` are NULL or options; a pointer may be written to `out`.
 */
int32_t mime_charset_field_named_text(const struct mime_charset_message *message,
                                      size_t part,
                                      const char *name,
                                      size_t length,
                                      const struct mime_charset_options *options,
                                      struct mime_charset_text **out);

/**
 * The addresses of a field such as From or To (RFC 5322, section 3.4).
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_field_addresses(const struct mime_charset_message *message,
                                     size_t part,
                                     size_t field,
                                     const struct mime_charset_options *options,
                                     struct mime_charset_addresses **out);

/**
 * The addresses of the first field of this name, in any case, as `mime_charset_field_addresses` gives
 * them; `MIME_CHARSET_NONE` where there is none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `length` octets may be read at `name`;
 * `options` are NULL or options; a pointer may be written to `out`.
 */
int32_t mime_charset_field_named_addresses(const struct mime_charset_message *message,
                                           size_t part,
                                           const char *name,
                                           size_t length,
                                           const struct mime_charset_options *options,
                                           struct mime_charset_addresses **out);

/**
 * The version of the library; static.
 */
const char *mime_charset_version(void);

/**
 * Octets under a label as text in UTF-8, in the charset that the label and the octets together tell.
 * A label that is NULL is none.
 *
 * Requires: `length` octets may be read at `data`, and `label_length` at `label`; `options` are NULL or
 * options; a pointer may be written to `out`.
 */
int32_t mime_charset_decode(const uint8_t *data,
                            size_t length,
                            const char *label,
                            size_t label_length,
                            const struct mime_charset_options *options,
                            struct mime_charset_text **out);

/**
 * Octets in this very charset as text in UTF-8.
 *
 * Requires: `charset` is NULL or a charset of this library; `length` octets may be read at `data`; `options`
 * are NULL or options; a pointer may be written to `out`.
 */
int32_t mime_charset_charset_decode(const struct mime_charset_charset *charset,
                                    const uint8_t *data,
                                    size_t length,
                                    const struct mime_charset_options *options,
                                    struct mime_charset_text **out);

/**
 * What octets without a label are likely to be in: a text without octets, with a charset and how
 * sure it is.
 *
 * Requires: `length` octets may be read at `data`; a pointer may be written to `out`.
 */
int32_t mime_charset_detect(const uint8_t *data, size_t length, struct mime_charset_text **out);

/**
 * The same message in UTF-8, each change, and what was noticed on the way. What cannot be converted
 * exactly stays as it is.
 *
 * Requires: `length` octets may be read at `data`; `options` are NULL or options; a pointer may be written to
 * `out`.
 */
int32_t mime_charset_convert(const uint8_t *data,
                             size_t length,
                             const struct mime_charset_options *options,
                             struct mime_charset_text **out);

/**
 * Text as the body of an unstructured field such as Subject, in encoded words where it needs them
 * (RFC 2047), folded. `column` says how many octets stand before it on its line.
 *
 * Requires: `length` octets may be read at `text`; a pointer may be written to `out`.
 */
int32_t mime_charset_encode_unstructured(const char *text,
                                         size_t length,
                                         size_t column,
                                         struct mime_charset_text **out);

/**
 * A name and an address as a mailbox of From, To and their like, the name in encoded words where it
 * needs them (RFC 5322, section 3.4; RFC 2047, section 5), folded. `MIME_CHARSET_INVALID` for an address
 * that cannot be written. `column` says how many octets stand before it on its line.
 *
 * Requires: `name_length` octets may be read at `name`, and `address_length` at `address`; a pointer may be
 * written to `out`.
 */
int32_t mime_charset_encode_mailbox(const char *name,
                                    size_t name_length,
                                    const char *address,
                                    size_t address_length,
                                    size_t column,
                                    struct mime_charset_text **out);

/**
 * Mailboxes with commas between them as the body of From, To, Cc and their like (RFC 5322, section 3.4),
 * each as `mime_charset_encode_mailbox` writes it, and with its errors. Those that follow one another and
 * have the same name in `group` are written as that group; where the `data` of an address is NULL too, it
 * is a group without a mailbox. What `mime_charset_addresses_at` gives may be handed over as it is.
 * No mailboxes are a text without octets, which is a body for Bcc alone (section 3.6.3).
 *
 * Requires: `count` mailboxes may be read at `mailboxes`, and of each so many octets at its name and its address
 * as their lengths say; a pointer may be written to `out`.
 */
int32_t mime_charset_encode_mailboxes(const struct mime_charset_mailbox *mailboxes,
                                      size_t count,
                                      size_t column,
                                      struct mime_charset_text **out);

/**
 * A parameter of Content-Type or Content-Disposition, with the semicolon before it, extended and continued
 * where it needs that (RFC 2231), folded. `MIME_CHARSET_INVALID` for a name that is no token. `column`
 * says how many octets stand before it on its line.
 *
 * Requires: `name_length` octets may be read at `name`, and `value_length` at `value`; a pointer may be written
 * to `out`.
 */
int32_t mime_charset_encode_parameter(const char *name,
                                      size_t name_length,
                                      const char *value,
                                      size_t value_length,
                                      size_t column,
                                      struct mime_charset_text **out);

/**
 * The name of a mailbox out of IMAP's modified UTF-7 (RFC 3501, section 5.1.3).
 *
 * Requires: `length` octets may be read at `name`; a pointer may be written to `out`.
 */
int32_t mime_charset_mailbox_name_decode(const char *name,
                                         size_t length,
                                         struct mime_charset_text **out);

/**
 * The name of a mailbox in IMAP's modified UTF-7.
 *
 * Requires: `length` octets may be read at `name`; a pointer may be written to `out`.
 */
int32_t mime_charset_mailbox_name_encode(const char *name,
                                         size_t length,
                                         struct mime_charset_text **out);

/**
 * Takes a message apart and copies its octets. Any octets are a message.
 *
 * Requires: `length` octets may be read at `data`; a pointer may be written to `out`.
 */
int32_t mime_charset_message_copy(const uint8_t *data,
                                  size_t length,
                                  struct mime_charset_message **out);

/**
 * Takes a message apart without copying its octets, which have to stay where they are, unchanged,
 * until the message is freed.
 *
 * Requires: `length` octets may be read at `data`, and nobody writes to them or frees them before the message
 * is freed; a pointer may be written to `out`.
 */
int32_t mime_charset_message_borrow(const uint8_t *data,
                                    size_t length,
                                    struct mime_charset_message **out);

/**
 * The octets of the message. Belong to `message`, or to whom they were borrowed from.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
struct mime_charset_octets mime_charset_message_octets(const struct mime_charset_message *message);

/**
 * What was odd about the structure: a text without octets, with findings.
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_message_findings(const struct mime_charset_message *message,
                                      struct mime_charset_text **out);

/**
 * How many entities the message has, itself and multiparts among them; 0 for NULL.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_part_count(const struct mime_charset_message *message);

/**
 * The places of the parts of one of the lists `MIME_CHARSET_SHOW_...`. Writes at most `capacity` of
 * them to `indices` and returns how many there are; 0 for what is no list.
 *
 * Requires: `message` is NULL or a message that has not been freed; `indices` is NULL, or `capacity` places
 * may be written there.
 */
size_t mime_charset_message_shown(const struct mime_charset_message *message,
                                  int32_t list,
                                  size_t *indices,
                                  size_t capacity);

/**
 * Frees a message; texts made of it live on.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
void mime_charset_message_free(struct mime_charset_message *message);

/**
 * Whether the part is text to be decoded.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
bool mime_charset_part_is_text(const struct mime_charset_message *message, size_t part);

/**
 * Whether the part is a multipart in which parts begin.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
bool mime_charset_part_is_multipart(const struct mime_charset_message *message, size_t part);

/**
 * Whether the part is a message that was entered; it is the next entity.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
bool mime_charset_part_is_message(const struct mime_charset_message *message, size_t part);

/**
 * The place of the entity that this one stands in; `SIZE_MAX` for the message itself and where there
 * is no such entity.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_part_parent(const struct mime_charset_message *message,
                                size_t part);

/**
 * The places of the entities that stand directly in this one. Writes at most `capacity` of them to
 * `indices` and returns how many there are; 0 where there is no such entity.
 *
 * Requires: `message` is NULL or a message that has not been freed; `indices` is NULL or has room for `capacity`
 * places.
 */
size_t mime_charset_part_children(const struct mime_charset_message *message,
                                  size_t part,
                                  size_t *indices,
                                  size_t capacity);

/**
 * The section number, as IMAP counts (RFC 9051, section 6.4.5.1).
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_part_section(const struct mime_charset_message *message,
                                  size_t part,
                                  struct mime_charset_text **out);

/**
 * The media type, lower case, such as `text/plain`, and the findings of the fields that say what the
 * part is.
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_part_media_type(const struct mime_charset_message *message,
                                     size_t part,
                                     struct mime_charset_text **out);

/**
 * The text of the part in UTF-8, whatever its media type.
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_part_text(const struct mime_charset_message *message,
                               size_t part,
                               const struct mime_charset_options *options,
                               struct mime_charset_text **out);

/**
 * The octets of the part, its transfer encoding undone.
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_part_octets(const struct mime_charset_message *message,
                                 size_t part,
                                 struct mime_charset_text **out);

/**
 * The file name; `MIME_CHARSET_NONE` where the part has none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_part_filename(const struct mime_charset_message *message,
                                   size_t part,
                                   const struct mime_charset_options *options,
                                   struct mime_charset_text **out);

/**
 * Which charset the part is in, on whose word, how surely, and the evidence: a text without octets.
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_part_decide(const struct mime_charset_message *message,
                                 size_t part,
                                 const struct mime_charset_options *options,
                                 struct mime_charset_text **out);

/**
 * The text, or the octets where the function that made it says so. Belongs to `text`.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
struct mime_charset_utf8 mime_charset_text_string(const struct mime_charset_text *text);

/**
 * The charset that it was in; NULL where there is none to speak of, as of a field, which may be in
 * several.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
const struct mime_charset_charset *mime_charset_text_charset(const struct mime_charset_text *text);

/**
 * On whose word the charset was chosen: `forced`, `declared`, `bom`, `document`, `evidence`,
 * `detected` or `default`. Belongs to `text`; `data` is NULL where there is no charset.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
struct mime_charset_utf8 mime_charset_text_source(const struct mime_charset_text *text);

/**
 * How sure the charset is, in percent: of a decision and of what was detected, else 0.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
uint8_t mime_charset_text_confidence(const struct mime_charset_text *text);

/**
 * Whether anything of what was sent is not in the text.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
bool mime_charset_text_has_loss(const struct mime_charset_text *text);

/**
 * How many findings are kept.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_finding_count(const struct mime_charset_text *text);

/**
 * How many more findings there were than are kept.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_findings_omitted(const struct mime_charset_text *text);

/**
 * A finding by its place, from 0.
 *
 * Requires: `text` is NULL or a text that has not been freed; a finding may be written to `out`.
 */
int32_t mime_charset_text_finding(const struct mime_charset_text *text,
                                  size_t index,
                                  struct mime_charset_finding *out);

/**
 * Frees a text and all that belongs to it.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
void mime_charset_text_free(struct mime_charset_text *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MIME_CHARSET_H */
