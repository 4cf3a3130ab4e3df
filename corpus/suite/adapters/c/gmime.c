/* GMime 3 with its default options. */
#include "adapter.h"

#include <gmime/gmime.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static json_object *mailbox(InternetAddress *address) {
  json_object *found = json_object_new_object();
  /* The name of an address without one is empty. */
  const char *name = internet_address_get_name(address);
  json_object_object_add(found, "name", name == NULL || *name == '\0' ? NULL : text(name));
  json_object_object_add(found, "address", text(internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(address))));
  return found;
}

/* Adds the mailboxes of a list, including those in groups. */
static void add_mailboxes(InternetAddressList *list, json_object *found) {
  for (int at = 0; at < internet_address_list_length(list); at++) {
    InternetAddress *address = internet_address_list_get_address(list, at);
    if (INTERNET_ADDRESS_IS_GROUP(address)) {
      add_mailboxes(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(address)), found);
    } else {
      json_object_array_add(found, mailbox(address));
    }
  }
}

static json_object *add_group(json_object *found, const char *name) {
  json_object *group = json_object_new_object(), *members = json_object_new_array();
  json_object_object_add(group, "group", text(name));
  json_object_object_add(group, "addresses", members);
  json_object_array_add(found, group);
  return members;
}

/* Adds the groups of a list, and each run of mailboxes outside groups. */
static void add_groups(InternetAddressList *list, json_object *found) {
  json_object *outside = NULL;
  for (int at = 0; at < internet_address_list_length(list); at++) {
    InternetAddress *address = internet_address_list_get_address(list, at);
    if (INTERNET_ADDRESS_IS_GROUP(address)) {
      add_mailboxes(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(address)),
                    add_group(found, internet_address_get_name(address)));
      outside = NULL;
    } else {
      if (outside == NULL) outside = add_group(found, NULL);
      json_object_array_add(outside, mailbox(address));
    }
  }
}

static json_object *addresses(const char *body, gboolean as_groups) {
  json_object *found = json_object_new_array();
  InternetAddressList *list = body == NULL ? NULL : internet_address_list_parse(NULL, body);
  if (list != NULL) {
    if (as_groups) add_groups(list, found);
    else add_mailboxes(list, found);
    g_object_unref(list);
  }
  return found;
}

static json_object *identifiers(const char *body) {
  json_object *found = json_object_new_array();
  GMimeReferences *references = body == NULL ? NULL : g_mime_references_parse(NULL, body);
  if (references != NULL) {
    for (int at = 0; at < g_mime_references_length(references); at++) {
      json_object_array_add(found, text(g_mime_references_get_message_id(references, at)));
    }
    g_mime_references_free(references);
  }
  return found;
}

/* GMime keeps the header of a message in two lists: the MIME fields belong to its content. */
static GMimeHeaderList *list_of(GMimeMessage *message, gboolean of_content) {
  GMimeObject *content = g_mime_message_get_mime_part(message);
  if (!of_content) return g_mime_object_get_header_list(GMIME_OBJECT(message));
  return content == NULL ? NULL : g_mime_object_get_header_list(content);
}

static GMimeHeader *field(GMimeMessage *message, const char *name) {
  GMimeHeader *found = g_mime_header_list_get_header(list_of(message, FALSE), name);
  GMimeHeaderList *rest = list_of(message, TRUE);
  return found == NULL && rest != NULL ? g_mime_header_list_get_header(rest, name) : found;
}

/* The names in both lists, in the order of the message. */
static json_object *names(GMimeMessage *message) {
  json_object *found = json_object_new_array();
  GMimeHeaderList *lists[] = {list_of(message, FALSE), list_of(message, TRUE)};
  int at[] = {0, 0};
  for (;;) {
    GMimeHeader *first = NULL;
    int from = 0;
    for (int which = 0; which < 2; which++) {
      if (lists[which] == NULL || at[which] >= g_mime_header_list_get_count(lists[which])) continue;
      GMimeHeader *next = g_mime_header_list_get_header_at(lists[which], at[which]);
      if (first == NULL || g_mime_header_get_offset(next) < g_mime_header_get_offset(first)) {
        first = next;
        from = which;
      }
    }
    if (first == NULL) return found;
    json_object_array_add(found, text(g_mime_header_get_name(first)));
    at[from]++;
  }
}

static json_object *structure(GMimeObject *part) {
  char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(part));
  json_object *found = text(type);
  g_free(type);
  if (GMIME_IS_MULTIPART(part)) {
    json_object *list = json_object_new_array();
    json_object_array_add(list, found);
    for (int at = 0; at < g_mime_multipart_get_count(GMIME_MULTIPART(part)); at++) {
      json_object_array_add(list, structure(g_mime_multipart_get_part(GMIME_MULTIPART(part), at)));
    }
    found = list;
  }
  return found;
}

/* The part of this number, counted as in IMAP; NULL if there is none. */
static GMimeObject *part_of(GMimeMessage *message, const char *numbers) {
  GMimeObject *at = g_mime_message_get_mime_part(message);
  gboolean is_whole = TRUE;
  while (*numbers != '\0' && at != NULL) {
    char *rest;
    int number = (int)strtol(numbers, &rest, 10);
    numbers = *rest == '.' ? rest + 1 : rest;
    if (!is_whole && GMIME_IS_MESSAGE_PART(at)) {
      GMimeMessage *embedded = g_mime_message_part_get_message(GMIME_MESSAGE_PART(at));
      at = embedded == NULL ? NULL : g_mime_message_get_mime_part(embedded);
      is_whole = TRUE;
    }
    if (at != NULL && GMIME_IS_MULTIPART(at)) {
      at = number > g_mime_multipart_get_count(GMIME_MULTIPART(at))
               ? NULL
               : g_mime_multipart_get_part(GMIME_MULTIPART(at), number - 1);
    } else if (!is_whole || number != 1) {
      return NULL;
    }
    is_whole = FALSE;
  }
  return at;
}

static json_object *octets(GMimeObject *part) {
  GByteArray *written = g_byte_array_new();
  GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(written);
  g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), TRUE);
  if (GMIME_IS_PART(part)) {
    GMimeDataWrapper *content = g_mime_part_get_content(GMIME_PART(part));
    if (content != NULL) g_mime_data_wrapper_write_to_stream(content, stream);
  } else {
    /* Only the parsed message is left. Write it with the line endings of mail. */
    GMimeFormatOptions *options = g_mime_format_options_new();
    g_mime_format_options_set_newline_format(options, GMIME_NEWLINE_FORMAT_DOS);
    g_mime_object_write_content_to_stream(part, options, stream);
    g_mime_format_options_free(options);
  }
  json_object *found = base64(written->data, written->len);
  g_object_unref(stream);
  return found;
}

static json_object *about_part(const Case *one, GMimeObject *part, const char **error) {
  if (part == NULL) return NULL;
  if (asks(one, "parameter")) {
    const char *name = argument(one, "parameter");
    return text(g_ascii_strcasecmp(argument(one, "field"), "Content-Type") == 0
                    ? g_mime_object_get_content_type_parameter(part, name)
                    : g_mime_object_get_content_disposition_parameter(part, name));
  }
  if (asks(one, "octets")) return octets(part);
  if (asks(one, "file name")) {
    return GMIME_IS_PART(part) ? text(g_mime_part_get_filename(GMIME_PART(part)))
                               : text(g_mime_object_get_content_disposition_parameter(part, "filename"));
  }
  if (!GMIME_IS_TEXT_PART(part)) {
    *error = "not a text part";
    return NULL;
  }
  /* A part that ends with its header has no content. */
  if (g_mime_part_get_content(GMIME_PART(part)) == NULL) return text("");
  char *string = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
  if (string == NULL) *error = "no text";
  json_object *found = text(string);
  g_free(string);
  return found;
}

static json_object *about_message(const Case *one, GMimeMessage *message, const char **error) {
  GMimeHeader *header = field(message, argument(one, "field"));
  const char *body = header == NULL ? NULL : g_mime_header_get_raw_value(header);
  if (asks(one, "field")) {
    const char *value = header == NULL ? NULL : g_mime_header_get_value(header);
    return value == NULL ? NULL : trimmed(value, strlen(value));
  }
  if (asks(one, "addresses") || asks(one, "groups")) return addresses(body, asks(one, "groups"));
  if (asks(one, "identifiers")) return identifiers(body);
  if (asks(one, "fields")) return names(message);
  if (asks(one, "date") || asks(one, "zone")) {
    GDateTime *date = g_mime_message_get_date(message);
    if (date == NULL) return NULL;
    return json_object_new_int64(asks(one, "date") ? g_date_time_to_unix(date)
                                                   : g_date_time_get_utc_offset(date) / G_TIME_SPAN_MINUTE);
  }
  if (asks(one, "structure")) {
    GMimeObject *root = g_mime_message_get_mime_part(message);
    return root == NULL ? NULL : structure(root);
  }
  return about_part(one, part_of(message, argument(one, "part")), error);
}

/* Parses messages of a mailbox, `last` at most. Returns their number, and the last one in `message`. */
static int read_mailbox(GMimeParser *parser, int last, GMimeMessage **message) {
  int count = 0;
  g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
  while (count < last && !g_mime_parser_eos(parser)) {
    GMimeMessage *next = g_mime_parser_construct_message(parser, NULL);
    if (next == NULL) break;
    if (*message != NULL) g_object_unref(*message);
    *message = next;
    count++;
  }
  return count;
}

static json_object *answer(const Case *one, const char **error) {
  GMimeStream *stream = g_mime_stream_mem_new_with_buffer((const char *)one->octets, one->length);
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  GMimeMessage *message = NULL;
  json_object *found = NULL;
  int number = json_object_get_int(json_object_object_get(one->keys, "message"));
  if (asks(one, "messages")) {
    found = json_object_new_int(read_mailbox(parser, G_MAXINT, &message));
  } else {
    if (number == 0) message = g_mime_parser_construct_message(parser, NULL);
    if (number != 0 && read_mailbox(parser, number, &message) < number) *error = "no such message in the mailbox";
    else if (message == NULL) *error = "g_mime_parser_construct_message returns NULL";
    else found = about_message(one, message, error);
  }
  if (message != NULL) g_object_unref(message);
  g_object_unref(parser);
  g_object_unref(stream);
  return found;
}

int main(void) {
  const char *const offered[] = {"field",     "addresses", "groups",    "date",   "zone", "identifiers", "fields",
                                 "structure", "parameter", "file name", "octets", "text", "messages",    NULL};
  /* An empty label is the charset of the locale. */
  setlocale(LC_ALL, "C.UTF-8");
  g_mime_init();
  char *version = g_strdup_printf("%u.%u.%u", gmime_major_version, gmime_minor_version, gmime_micro_version);
  int code = run("GMime", version, offered, answer);
  g_free(version);
  return code;
}
