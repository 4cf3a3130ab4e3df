#define _POSIX_C_SOURCE 200809L
#include "adapter.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Decodes well-formed base64 in place. */
static size_t decode(char *string) {
  unsigned char *out = (unsigned char *)string;
  size_t length = 0;
  uint32_t bits = 0;
  int count = 0;
  for (const char *at = string; *at != '\0' && *at != '='; at++) {
    bits = bits << 6 | (uint32_t)(strchr(alphabet, *at) - alphabet);
    count += 6;
    if (count >= 8) out[length++] = (unsigned char)(bits >> (count -= 8));
  }
  return length;
}

json_object *base64(const unsigned char *octets, size_t length) {
  char *encoded = malloc(length / 3 * 4 + 5), *out = encoded;
  for (size_t at = 0; at < length; at += 3) {
    size_t left = length - at;
    uint32_t bits = (uint32_t)octets[at] << 16;
    if (left > 1) bits |= (uint32_t)octets[at + 1] << 8;
    if (left > 2) bits |= octets[at + 2];
    *out++ = alphabet[bits >> 18];
    *out++ = alphabet[bits >> 12 & 63];
    *out++ = left > 1 ? alphabet[bits >> 6 & 63] : '=';
    *out++ = left > 2 ? alphabet[bits & 63] : '=';
  }
  json_object *answer = json_object_new_string_len(encoded, (int)(out - encoded));
  free(encoded);
  return answer;
}

json_object *text(const char *string) { return string == NULL ? NULL : json_object_new_string(string); }

json_object *trimmed(const char *string, size_t length) {
  while (length > 0 && strchr(" \t\r\n", string[0]) != NULL) string++, length--;
  while (length > 0 && strchr(" \t\r\n", string[length - 1]) != NULL) length--;
  return json_object_new_string_len(string, (int)length);
}

const char *argument(const Case *one, const char *key) {
  const char *value = json_object_get_string(json_object_object_get(one->keys, key));
  return value == NULL ? "" : value;
}

int asks(const Case *one, const char *ask) { return strcmp(argument(one, "ask"), ask) == 0; }

static void write_line(json_object *object) {
  puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
  fflush(stdout);
  json_object_put(object);
}

int run(const char *name, const char *version, const char *const *asks, Answer *answer) {
  json_object *greeting = json_object_new_object(), *list = json_object_new_array();
  json_object_object_add(greeting, "name", text(name));
  json_object_object_add(greeting, "version", text(version));
  for (; *asks != NULL; asks++) json_object_array_add(list, text(*asks));
  json_object_object_add(greeting, "asks", list);
  write_line(greeting);
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) >= 0) {
    Case one = {.keys = json_tokener_parse(line)};
    char *octets = strdup(argument(&one, "base64"));
    one.length = decode(octets);
    one.octets = (const unsigned char *)octets;
    const char *error = NULL;
    json_object *found = answer(&one, &error), *reply = json_object_new_object();
    json_object_object_add(reply, "id", text(argument(&one, "id")));
    size_t prefix = sizeof NOT_OFFERED - 1;
    if (error == NULL) json_object_object_add(reply, "answer", found);
    else if (strncmp(error, NOT_OFFERED, prefix) != 0) json_object_object_add(reply, "error", text(error));
    else json_object_object_add(reply, "not offered", text(error + prefix));
    if (error != NULL) json_object_put(found);
    write_line(reply);
    json_object_put(one.keys);
    free(octets);
  }
  free(line);
  return EXIT_SUCCESS;
}
