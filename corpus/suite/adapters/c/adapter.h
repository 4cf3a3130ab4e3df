/* Shared by the adapters in C: reads cases and writes answers as README.md of the suite describes. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <json-c/json.h>
#include <stddef.h>

typedef struct {
  json_object *keys;
  const unsigned char *octets;
  size_t length;
} Case;

/* Prefix of an error that means that the library has no call for the case. */
#define NOT_OFFERED "not offered: "

/* Answers a case: sets `error` to a constant, or returns the answer, NULL for `null`. */
typedef json_object *Answer(const Case *one, const char **error);

/* Prints the greeting with the listed questions (NULL ends the list), and answers all cases from
 * standard input. */
int run(const char *name, const char *version, const char *const *asks, Answer *answer);

/* The text of an argument of a case, "" if it has none. */
const char *argument(const Case *one, const char *key);

/* Whether the case asks this. */
int asks(const Case *one, const char *ask);

/* A text; `null` for NULL. */
json_object *text(const char *string);

/* The text without surrounding white space. */
json_object *trimmed(const char *string, size_t length);

/* Octets in the form of an answer. */
json_object *base64(const unsigned char *octets, size_t length);

#endif
