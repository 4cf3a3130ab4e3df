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
 * The parts to show if plain text is preferred (RFC 8621, section 4.1.4).
 */
#define MIME_CHARSET_SHOW_TEXT 0

/**
 * The parts to show if HTML is preferred.
 */
#define MIME_CHARSET_SHOW_HTML 1

/**
 * The attachments.
 */
#define MIME_CHARSET_SHOW_ATTACHMENTS 2

/**
 * Old Hangul under a Unicode 1.1 label is remapped unless the text shows that the label is wrong.
 */
#define MIME_CHARSET_HANGUL_AUTO 0

/**
 * All of it is remapped (RFC 2279, section 5).
 */
#define MIME_CHARSET_HANGUL_ALWAYS 1

/**
 * None of it is remapped.
 */
#define MIME_CHARSET_HANGUL_NEVER 2

/**
 * Success.
 */
#define MIME_CHARSET_OK 0

/**
 * A required pointer is NULL.
 */
#define MIME_CHARSET_NULL 1

/**
 * Invalid argument: an index past the end, text that is not UTF-8, an unknown size of options,
 * more octets than memory can hold.
 */
#define MIME_CHARSET_INVALID 2

/**
 * Not found: the part has no file name, or there is no field of this name.
 */
#define MIME_CHARSET_NONE 3

/**
 * The output is full: make room and call again.
 */
#define MIME_CHARSET_FULL 4

/**
 * The library panicked, which is a bug. The handle may only be freed.
 */
#define MIME_CHARSET_PANIC 5

/**
 * The mailboxes of a field, including those in groups. Freed with `mime_charset_addresses_free`.
 */
typedef struct mime_charset_addresses mime_charset_addresses;

/**
 * A charset. It is static: never freed, and always the same pointer.
 */
typedef struct mime_charset_charset mime_charset_charset;

/**
 * Decodes in pieces. Freed with `mime_charset_decoder_free`; one thread at a time.
 */
typedef struct mime_charset_decoder mime_charset_decoder;

/**
 * A parsed message. Freed with `mime_charset_message_free`. Its entities are identified by their
 * index in document order; 0 is the message itself.
 */
typedef struct mime_charset_message mime_charset_message;

/**
 * A result: text or octets, their charset, the source of that decision, and the findings. Freed
 * with `mime_charset_text_free`; it does not depend on other handles.
 */
typedef struct mime_charset_text mime_charset_text;

/**
 * Text in UTF-8, or octets if a function says so. A NUL follows at `data[length]`; text may
 * contain NULs of its own. The function that returns it names its owner. `data` is NULL if there
 * is no such text.
 */
typedef struct mime_charset_utf8 {
  /**
   * The octets.
   */
  const char *data;
  /**
   * The number of octets, without the NUL.
   */
  size_t length;
} mime_charset_utf8;

/**
 * One mailbox. Its strings belong to the addresses that returned it, or to the caller that filled
 * it in.
 */
typedef struct mime_charset_mailbox {
  /**
   * The display name, decoded; empty if there is none.
   */
  struct mime_charset_utf8 name;
  /**
   * The address, such as `kim@example.org`.
   */
  struct mime_charset_utf8 address;
  /**
   * The name of its group; `data` is NULL outside of groups.
   */
  struct mime_charset_utf8 group;
} mime_charset_mailbox;

/**
 * One change of a conversion: a range of octets of the message before it, and the range that
 * replaces it in the message after it. All other octets are the same. Its strings belong to the
 * text that returned it.
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
   * The original charset.
   */
  const struct mime_charset_charset *charset;
  /**
   * The source of the charset, as from `mime_charset_text_source`.
   */
  struct mime_charset_utf8 source;
  /**
   * Offset and length of the octets before the change.
   */
  size_t before;
  /**
   * See `before`.
   */
  size_t before_length;
  /**
   * Offset and length of the octets after the change.
   */
  size_t after;
  /**
   * See `after`.
   */
  size_t after_length;
} mime_charset_change;

/**
 * Options for decoding. Set all of it to zero, then `size`. NULL in place of options means the
 * defaults. Later versions may add members at the end, and accept the size of this one.
 */
typedef struct mime_charset_options {
  /**
   * `sizeof(mime_charset_options)`, which identifies the members known to the caller.
   */
  size_t size;
  /**
   * The charset to use if the octets are not conclusive; NULL for none.
   */
  const struct mime_charset_charset *hint;
  /**
   * The charset to decode everything in, whatever the message declares; NULL for none.
   */
  const struct mime_charset_charset *force;
  /**
   * Follow the label if the octets contradict it.
   */
  bool trust_label;
  /**
   * The octets are only the beginning of a text.
   */
  bool partial;
  /**
   * Keep a byte order mark as U+FEFF.
   */
  bool keep_bom;
  /**
   * Decode labels as registered, not as used in mail.
   */
  bool as_registered;
  /**
   * One of `MIME_CHARSET_HANGUL_...`.
   */
  uint8_t hangul;
} mime_charset_options;

/**
 * A piece of evidence for or against a charset. Its strings belong to the text that returned it.
 */
typedef struct mime_charset_evidence {
  /**
   * The kind of evidence, as in docs/json.md.
   */
  struct mime_charset_utf8 kind;
  /**
   * Whether it is for or against the charset.
   */
  struct mime_charset_utf8 side;
  /**
   * The charset that it indicates; NULL for none.
   */
  const struct mime_charset_charset *charset;
  /**
   * The offset of the octets that it is based on.
   */
  size_t offset;
  /**
   * The number of these octets; 0 for all or none.
   */
  size_t length;
  /**
   * Details.
   */
  struct mime_charset_utf8 detail;
} mime_charset_evidence;

/**
 * Octets of a message, without a NUL after them.
 */
typedef struct mime_charset_octets {
  /**
   * The octets; may be NULL if there are none.
   */
  const uint8_t *data;
  /**
   * The number of octets.
   */
  size_t length;
} mime_charset_octets;

/**
 * A finding. Its strings belong to the text that returned it.
 */
typedef struct mime_charset_finding {
  /**
   * The kind, as in docs/findings.md.
   */
  struct mime_charset_utf8 kind;
  /**
   * `noted`, `assumed`, `repaired` or `lost`.
   */
  struct mime_charset_utf8 effect;
  /**
   * The octets that the offset counts: `source` or `octets`.
   */
  struct mime_charset_utf8 within;
  /**
   * The offset of the octets that it is about.
   */
  size_t offset;
  /**
   * The number of these octets.
   */
  size_t length;
  /**
   * Details.
   */
  struct mime_charset_utf8 detail;
} mime_charset_finding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The number of mailboxes.
 *
 * Requires: `addresses` are NULL or have not been freed.
 */
size_t mime_charset_addresses_count(const struct mime_charset_addresses *addresses);

/**
 * A mailbox by index, from 0.
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
 * The number of changes of a conversion; 0 for other texts.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_change_count(const struct mime_charset_text *text);

/**
 * A change by index, from 0, in the order of the message.
 *
 * Requires: `text` is NULL or a text that has not been freed; a change may be written to `out`.
 */
int32_t mime_charset_text_change(const struct mime_charset_text *text,
                                 size_t index,
                                 struct mime_charset_change *out);

/**
 * The charset of a label in mail: a name of the IANA registry, an alias, or a damaged spelling of
 * one; NULL if the label names none.
 *
 * Requires: `length` octets may be read at `label`.
 */
const struct mime_charset_charset *mime_charset_charset_for_label(const char *label, size_t length);

/**
 * Every charset by index, from 0; NULL after the last. The order may differ in another version.
 */
const struct mime_charset_charset *mime_charset_charset_at(size_t index);

/**
 * The preferred MIME name (RFC 2978); static.
 *
 * Requires: `charset` is NULL or a charset of this library.
 */
struct mime_charset_utf8 mime_charset_charset_name(const struct mime_charset_charset *charset);

/**
 * A label of the charset by index, from 0; static. `data` is NULL after the last.
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
 * Whether the charset has a decoder; for some, no table was ever published.
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
 * Decodes from `*in` to `*out` and advances both, like iconv: `*in_left` and `*out_left` are the
 * numbers of octets left. Characters are never cut. Returns `MIME_CHARSET_FULL` if the next
 * character does not fit. Malformed octets become U+FFFD and a finding. Consumed octets may be
 * buffered until more follow: `mime_charset_decoder_finish` returns the rest.
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
 * Ends the text: returns the text that was not returned yet, and the findings of the whole text
 * with offsets in the octets of all pieces. `MIME_CHARSET_INVALID` the second time.
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
 * The number of pieces of evidence of a decision; 0 for other texts.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_evidence_count(const struct mime_charset_text *text);

/**
 * A piece of evidence by index, from 0, in the order of evaluation.
 *
 * Requires: `text` is NULL or a text that has not been freed; evidence may be written to `out`.
 */
int32_t mime_charset_text_evidence(const struct mime_charset_text *text,
                                   size_t index,
                                   struct mime_charset_evidence *out);

/**
 * The number of fields in the header of an entity.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_field_count(const struct mime_charset_message *message, size_t part);

/**
 * The index of the first field of this name, ignoring case, at index `from` or after it;
 * `SIZE_MAX` if there is none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `length` octets may be read at `name`.
 */
size_t mime_charset_field_find(const struct mime_charset_message *message,
                               size_t part,
                               const char *name,
                               size_t length,
                               size_t from);

/**
 * The name of a field as written. Belongs to `message`.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
struct mime_charset_octets mime_charset_field_name(const struct mime_charset_message *message,
                                                   size_t part,
                                                   size_t field);

/**
 * The body of a field as written, with its folds. Belongs to `message`.
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
 * The text of the first field of this name, ignoring case, as from `mime_charset_field_text`;
 * `MIME_CHARSET_NONE` if there is none.
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
 * The addresses of the first field of this name, ignoring case, as from
 * `mime_charset_field_addresses`; `MIME_CHARSET_NONE` if there is none.
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
 * Decodes octets to UTF-8, in the charset chosen from the label and the octets. A label that is
 * NULL means no label.
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
 * Decodes octets in exactly this charset to UTF-8.
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
 * The likely charset of octets without a label: an empty text, with a charset and its confidence.
 *
 * Requires: `length` octets may be read at `data`; a pointer may be written to `out`.
 */
int32_t mime_charset_detect(const uint8_t *data, size_t length, struct mime_charset_text **out);

/**
 * The same message in UTF-8, with each change and all findings. Anything that cannot be converted
 * exactly is left unchanged.
 *
 * Requires: `length` octets may be read at `data`; `options` are NULL or options; a pointer may be written to
 * `out`.
 */
int32_t mime_charset_convert(const uint8_t *data,
                             size_t length,
                             const struct mime_charset_options *options,
                             struct mime_charset_text **out);

/**
 * Encodes text as the body of an unstructured field such as Subject, with encoded words if needed
 * (RFC 2047), folded. `column` is the number of octets before it on its line.
 *
 * Requires: `length` octets may be read at `text`; a pointer may be written to `out`.
 */
int32_t mime_charset_encode_unstructured(const char *text,
                                         size_t length,
                                         size_t column,
                                         struct mime_charset_text **out);

/**
 * Encodes a name and an address as a mailbox of From, To and similar fields, the name with encoded
 * words if needed (RFC 5322, section 3.4; RFC 2047, section 5), folded. `MIME_CHARSET_INVALID` for
 * an address that cannot be written. `column` is the number of octets before it on its line.
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
 * Encodes mailboxes, separated by commas, as the body of From, To, Cc and similar fields (RFC
 * 5322, section 3.4), each as by `mime_charset_encode_mailbox`, and with its errors. Consecutive
 * mailboxes with the same name in `group` are written as that group; if the `data` of an address
 * is NULL too, it is a group without a mailbox. Results of `mime_charset_addresses_at` can be
 * passed unchanged. Without mailboxes the text is empty, which is a valid body for Bcc alone
 * (section 3.6.3).
 *
 * Requires: `count` mailboxes may be read at `mailboxes`, and the name and address of each for their
 * lengths; a pointer may be written to `out`.
 */
int32_t mime_charset_encode_mailboxes(const struct mime_charset_mailbox *mailboxes,
                                      size_t count,
                                      size_t column,
                                      struct mime_charset_text **out);

/**
 * Encodes a parameter of Content-Type or Content-Disposition, with the semicolon before it,
 * extended and continued if needed (RFC 2231), folded. `MIME_CHARSET_INVALID` for a name that is
 * not a token. `column` is the number of octets before it on its line.
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
 * Decodes a mailbox name from IMAP's modified UTF-7 (RFC 3501, section 5.1.3).
 *
 * Requires: `length` octets may be read at `name`; a pointer may be written to `out`.
 */
int32_t mime_charset_mailbox_name_decode(const char *name,
                                         size_t length,
                                         struct mime_charset_text **out);

/**
 * Encodes a mailbox name in IMAP's modified UTF-7.
 *
 * Requires: `length` octets may be read at `name`; a pointer may be written to `out`.
 */
int32_t mime_charset_mailbox_name_encode(const char *name,
                                         size_t length,
                                         struct mime_charset_text **out);

/**
 * Parses a message, copying its octets. Any octets are a message.
 *
 * Requires: `length` octets may be read at `data`; a pointer may be written to `out`.
 */
int32_t mime_charset_message_copy(const uint8_t *data,
                                  size_t length,
                                  struct mime_charset_message **out);

/**
 * Parses a message without copying its octets, which must stay in place, unchanged, until the
 * message is freed.
 *
 * Requires: `length` octets may be read at `data`, and nobody writes to them or frees them before the message
 * is freed; a pointer may be written to `out`.
 */
int32_t mime_charset_message_borrow(const uint8_t *data,
                                    size_t length,
                                    struct mime_charset_message **out);

/**
 * The octets of the message. Belong to `message`, or to their owner if they were borrowed.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
struct mime_charset_octets mime_charset_message_octets(const struct mime_charset_message *message);

/**
 * The findings about the structure: an empty text with findings.
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_message_findings(const struct mime_charset_message *message,
                                      struct mime_charset_text **out);

/**
 * The number of entities in the message, including itself and multiparts; 0 for NULL.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_part_count(const struct mime_charset_message *message);

/**
 * The indexes of the parts in one of the lists `MIME_CHARSET_SHOW_...`. Writes at most `capacity`
 * of them to `indices` and returns their number; 0 for an unknown list.
 *
 * Requires: `message` is NULL or a message that has not been freed; `indices` is NULL, or `capacity` places
 * may be written there.
 */
size_t mime_charset_message_shown(const struct mime_charset_message *message,
                                  int32_t list,
                                  size_t *indices,
                                  size_t capacity);

/**
 * Frees a message; texts made from it remain valid.
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
 * Whether the part is a multipart with parts.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
bool mime_charset_part_is_multipart(const struct mime_charset_message *message, size_t part);

/**
 * Whether the part is a parsed embedded message, which is the next entity.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
bool mime_charset_part_is_message(const struct mime_charset_message *message, size_t part);

/**
 * The index of the enclosing entity; `SIZE_MAX` for the message itself or if there is no such
 * entity.
 *
 * Requires: `message` is NULL or a message that has not been freed.
 */
size_t mime_charset_part_parent(const struct mime_charset_message *message, size_t part);

/**
 * The indexes of the direct children of this entity. Writes at most `capacity` of them to
 * `indices` and returns their number; 0 if there is no such entity.
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
 * The media type, in lower case, such as `text/plain`, and the findings of the fields that
 * describe the part.
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
 * The octets of the part after transfer decoding.
 *
 * Requires: `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
 */
int32_t mime_charset_part_octets(const struct mime_charset_message *message,
                                 size_t part,
                                 struct mime_charset_text **out);

/**
 * The file name; `MIME_CHARSET_NONE` if the part has none.
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_part_filename(const struct mime_charset_message *message,
                                   size_t part,
                                   const struct mime_charset_options *options,
                                   struct mime_charset_text **out);

/**
 * The charset of the part, its source and confidence, and the evidence: an empty text.
 *
 * Requires: `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
 * may be written to `out`.
 */
int32_t mime_charset_part_decide(const struct mime_charset_message *message,
                                 size_t part,
                                 const struct mime_charset_options *options,
                                 struct mime_charset_text **out);

/**
 * The text, or the octets if the function that made it says so. Belongs to `text`.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
struct mime_charset_utf8 mime_charset_text_string(const struct mime_charset_text *text);

/**
 * The charset of the text; NULL if there is none, for example for a field, which may have several.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
const struct mime_charset_charset *mime_charset_text_charset(const struct mime_charset_text *text);

/**
 * The source of the charset: `forced`, `declared`, `bom`, `document`, `evidence`, `detected` or
 * `default`. Belongs to `text`; `data` is NULL if there is no charset.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
struct mime_charset_utf8 mime_charset_text_source(const struct mime_charset_text *text);

/**
 * The confidence in the charset, in percent, for a decision or a detected charset; otherwise 0.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
uint8_t mime_charset_text_confidence(const struct mime_charset_text *text);

/**
 * Whether part of the input is missing from the text.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
bool mime_charset_text_has_loss(const struct mime_charset_text *text);

/**
 * The number of findings that are kept.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_finding_count(const struct mime_charset_text *text);

/**
 * The number of findings that were counted but not kept.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
size_t mime_charset_text_findings_omitted(const struct mime_charset_text *text);

/**
 * A finding by index, from 0.
 *
 * Requires: `text` is NULL or a text that has not been freed; a finding may be written to `out`.
 */
int32_t mime_charset_text_finding(const struct mime_charset_text *text,
                                  size_t index,
                                  struct mime_charset_finding *out);

/**
 * Frees a text and everything that belongs to it.
 *
 * Requires: `text` is NULL or a text that has not been freed.
 */
void mime_charset_text_free(struct mime_charset_text *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MIME_CHARSET_H */
