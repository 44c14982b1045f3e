// What is wrong with the text, before its keys have any meaning.
extension Explanation {
  static let textEntries: [Entry] = [
    (
      "syntax", "The text is no YAML. The message says what the reader met, and where.",
      "Correct the line above the caret; a quotation mark or bracket that is not closed is the "
        + "usual cause, and is named where it begins."
    ),
    (
      "bad-encoding", "A byte belongs to no UTF-8 or UTF-16 text.",
      "Save the file as UTF-8."
    ),
    (
      "control-character", "YAML allows no control characters in a text, not even in quotes.",
      "Remove the character, or write it as an escape in double quotes: \"\\x07\"."
    ),
    (
      "tab-indentation", "A line is indented by a tab, which YAML forbids.",
      "Indent by spaces."
    ),
    (
      "unquoted-indicator",
      "A value begins with a character that means something to YAML, such as `>`, `*` or `@`.",
      "Put the value in quotes."
    ),
    (
      "escaped-dollar", "`\\$` is no escape of YAML. A literal `$` is written `$$`.",
      "Write `$$`."
    ),
    (
      "unknown-escape", "YAML does not know what stands behind this backslash.",
      "Double the backslash if it is meant, or put the text in single quotes."
    ),
    (
      "unquoted-template",
      "`{$.a}` without quotes is a map with one key to YAML, not a text with a value in it.",
      "Put the whole text in quotes."
    ),
    (
      "comment-in-text",
      "A ` #` begins a comment, which cuts this text off. The rest has a template in it, so "
        + "that it "
        + "was hardly meant as a comment.",
      "Put the whole text in quotes."
    ),
    (
      "yes-no-boolean",
      "A word such as `yes` or `off` stands where a boolean is due. It was one in YAML 1.1 and "
        + "is a "
        + "text in YAML 1.2, so it could mean either.",
      "Write `true` or `false`."
    ),
    (
      "undefined-alias", "An alias refers to an anchor that is not defined before it.",
      "Define the anchor with `&name` above, or put the text in quotes if the `*` belongs to it."
    ),
    (
      "recursive-alias", "An alias stands inside the very value that it refers to.",
      "Write the value out, or move the anchor."
    ),
    (
      "merge-key", "Merge keys (`<<`) are no part of YAML 1.2.",
      "Write the keys out; a whole value can be shared by an alias."
    ),
    (
      "custom-tag", "A tag such as `!path` means nothing here, nor does a `%TAG` directive.",
      "Remove it, or put the text in quotes if the `!` belongs to it."
    ),
    (
      "several-documents", "A second document follows. A manifest is one.",
      "Move what follows to a file of its own, and include it."
    ),
    (
      "empty-manifest", "The file has no content.",
      "Begin with `appcore: 1`."
    ),
    (
      "key-not-text", "A key is a list, a map or nothing at all.",
      "Write a word or a quoted text."
    ),
    (
      "duplicate-key",
      "The same key stands twice in one map. YAML forbids it, and other tools take "
        + "one of the two without a word.",
      "Remove or rename one of them."
    ),
    (
      "too-large", "The file is larger than a manifest may be.",
      "Split it with `include`."
    ),
    (
      "too-nested", "Lists and maps are nested deeper than they may be.",
      "Make the value flatter."
    ),
    (
      "too-many-aliases", "There are more aliases than there may be.",
      "Write some of the values out."
    ),
    (
      "too-much-expansion",
      "Aliases of aliases stand for more values than they may: a few lines can stand for billions.",
      "Write the values out, or share smaller ones."
    ),
    (
      "too-many-pairs",
      "The lists of `from` and `action` stand for more pairs than there may be.",
      "Shorten the lists, or use `from: any`."
    ),
  ]
}
