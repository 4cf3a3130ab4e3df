/* The C bindings of mime-charset. They return no empty group, no parameter and no list of identifiers. */
#include "adapter.h"

#include <mime_charset.h>
#include <stdlib.h>
#include <string.h>

static json_object *utf8(mime_charset_utf8 string) {
  return json_object_new_string_len(string.data, (int)string.length);
}

/* The text from a function that returned this status. Frees it. */
static json_object *text_of(int32_t status, mime_charset_text **written) {
  json_object *found = status == MIME_CHARSET_OK ? utf8(mime_charset_text_string(*written)) : NULL;
  mime_charset_text_free(*written);
  return found;
}

static json_object *field(const mime_charset_message *message, const char *name) {
  mime_charset_text *written = NULL;
  json_object *found = NULL;
  if (mime_charset_field_named_text(message, 0, name, strlen(name), NULL, &written) == MIME_CHARSET_OK) {
    mime_charset_utf8 string = mime_charset_text_string(written);
    found = trimmed(string.data, string.length);
  }
  mime_charset_text_free(written);
  return found;
}

static json_object *addresses(const mime_charset_message *message, const char *name) {
  mime_charset_addresses *list = NULL;
  mime_charset_mailbox mailbox;
  json_object *found = json_object_new_array();
  mime_charset_field_named_addresses(message, 0, name, strlen(name), NULL, &list);
  for (size_t at = 0; mime_charset_addresses_at(list, at, &mailbox) == MIME_CHARSET_OK; at++) {
    json_object *one = json_object_new_object();
    json_object_object_add(one, "name", mailbox.name.length == 0 ? NULL : utf8(mailbox.name));
    json_object_object_add(one, "address", utf8(mailbox.address));
    json_object_array_add(found, one);
  }
  mime_charset_addresses_free(list);
  return found;
}

static json_object *names(const mime_charset_message *message) {
  json_object *found = json_object_new_array();
  for (size_t at = 0; at < mime_charset_field_count(message, 0); at++) {
    mime_charset_octets name = mime_charset_field_name(message, 0, at);
    json_object_array_add(found, json_object_new_string_len((const char *)name.data, (int)name.length));
  }
  return found;
}

static json_object *structure(const mime_charset_message *message, size_t part) {
  mime_charset_text *written = NULL;
  json_object *type = text_of(mime_charset_part_media_type(message, part, &written), &written);
  if (!mime_charset_part_is_multipart(message, part)) return type;
  size_t count = mime_charset_part_children(message, part, NULL, 0);
  size_t *children = malloc(count * sizeof *children);
  json_object *found = json_object_new_array();
  json_object_array_add(found, type);
  mime_charset_part_children(message, part, children, count);
  for (size_t at = 0; at < count; at++) json_object_array_add(found, structure(message, children[at]));
  free(children);
  return found;
}

/* The index of the part of this number; the count of parts if there is none. */
static size_t part_of(const mime_charset_message *message, const char *number) {
  size_t part = 0, count = mime_charset_part_count(message);
  for (; part < count; part++) {
    mime_charset_text *section = NULL;
    mime_charset_part_section(message, part, &section);
    int found = strcmp(mime_charset_text_string(section).data, number) == 0;
    mime_charset_text_free(section);
    if (found) break;
  }
  return part;
}

static json_object *decode(const Case *one, const char **error) {
  const char *label = argument(one, "charset");
  const mime_charset_charset *charset = mime_charset_charset_for_label(label, strlen(label));
  mime_charset_text *written = NULL;
  if (charset == NULL) *error = "unknown label";
  return text_of(mime_charset_charset_decode(charset, one->octets, one->length, NULL, &written), &written);
}

static json_object *about(const Case *one, const mime_charset_message *message) {
  mime_charset_text *written = NULL;
  if (asks(one, "field")) return field(message, argument(one, "field"));
  if (asks(one, "addresses")) return addresses(message, argument(one, "field"));
  if (asks(one, "fields")) return names(message);
  if (asks(one, "structure")) return structure(message, 0);
  if (asks(one, "date") || asks(one, "zone")) {
    mime_charset_date date;
    if (mime_charset_message_date(message, &date) != MIME_CHARSET_OK) return NULL;
    if (asks(one, "date")) return json_object_new_int64(date.unix_seconds);
    return date.offset == INT32_MIN ? NULL : json_object_new_int(date.offset);
  }
  size_t part = part_of(message, argument(one, "part"));
  if (asks(one, "text")) return text_of(mime_charset_part_text(message, part, NULL, &written), &written);
  if (asks(one, "file name")) return text_of(mime_charset_part_filename(message, part, NULL, &written), &written);
  json_object *found = NULL;
  if (mime_charset_part_octets(message, part, &written) == MIME_CHARSET_OK) {
    mime_charset_utf8 octets = mime_charset_text_string(written);
    found = base64((const unsigned char *)octets.data, octets.length);
  }
  mime_charset_text_free(written);
  return found;
}

static json_object *answer(const Case *one, const char **error) {
  if (asks(one, "decode")) return decode(one, error);
  if (json_object_object_get(one->keys, "message") != NULL) {
    *error = "mailboxes are not offered";
    return NULL;
  }
  mime_charset_message *message = NULL;
  json_object *found = NULL;
  if (mime_charset_message_borrow(one->octets, one->length, &message) != MIME_CHARSET_OK) *error = "no message";
  else found = about(one, message);
  mime_charset_message_free(message);
  return found;
}

int main(void) {
  const char *const offered[] = {"field",     "addresses", "date",   "zone", "fields", "structure",
                                 "file name", "octets",    "text", "decode", NULL};
  return run("mime-charset for C", mime_charset_version(), offered, answer);
}
