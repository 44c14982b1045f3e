// Why a line of the shell changes nothing.
extension Explanation {
  static let lineEntries: [Entry] = [
    (
      "no-such-code", "`:explain` knows no such code.",
      "Take the one that is suggested; `appcore explain` lists all."
    ),
    (
      "asked-first",
      "`:open` or `:dismiss` would leave a screen that has an action of its own for being left, such as "
        + "asking whether to discard changes. That was sent, and the screen stays until it is answered.",
      "Answer what the screen asks; then write the command again."
    ),
    (
      "bad-utf8", "The line is not UTF-8.",
      "Send UTF-8."
    ),
    (
      "nul", "The line holds NUL, which no value may.",
      "Leave it out."
    ),
    (
      "line-too-long", "The line is longer than is read.",
      "Send less, or a text of several lines with `<<END`."
    ),
    (
      "bad-string", "A quoted text is no JSON string.",
      "Write it as JSON does, such as `\"a\\nb\"`."
    ),
    (
      "text-after-label", "Something other than ` = VALUE` follows a quoted label.",
      "Write `\"LABEL\"` or `\"LABEL\" = VALUE`."
    ),
    (
      "identifier-missing", "Nothing follows the `@`.",
      "Write `@ID`; a label that begins with `@` is written in double quotes."
    ),
    (
      "unterminated-text", "The input ended before the line that ends a text of several lines.",
      "End the text with the line that `<<` names."
    ),
    (
      "bad-json", "The line is no JSON, or not of a form that is understood.",
      "Send one object a line, as docs/shell.md shows."
    ),
    (
      "unknown-command", "There is no such command.",
      "Take the one that is suggested; `:help` lists all."
    ),
    (
      "unsupported-command", "The command is not available here.",
      "Take one of those that are listed."
    ),
    (
      "argument-missing", "The command needs something behind it.",
      "Write it as the message shows."
    ),
    (
      "argument-unexpected", "The command takes nothing behind it.",
      "Write the command alone."
    ),
    (
      "bad-argument", "The command can't take what stands behind it.",
      "Write what the message says is expected."
    ),
    (
      "no-such-control", "No control has the number, label or identifier.",
      "Take the one that is suggested, or a number of the screen; long lists are paged with "
        + "`:next`."
    ),
    (
      "ambiguous-label", "Several controls have the label.",
      "Write the number or `@ID`."
    ),
    (
      "ambiguous-id", "Several controls have the identifier; the feature is at fault.",
      "Write the number."
    ),
    (
      "ambiguous-number", "The line is the number of one control and the label of another.",
      "Write `:press N` for the number, or the label in double quotes."
    ),
    (
      "stale",
      "The control that bore the number on the screen shown before the line is gone, or does "
        + "something else now.",
      "Look at the screen again; `@ID` does not depend on numbers."
    ),
    (
      "no-such-screen", "The line names a screen that is not remembered.",
      "Name the last one, or none."
    ),
    (
      "disabled", "The control can't be used now.",
      "Do first what enables it."
    ),
    (
      "value-missing", "The field needs a value, and a pipe can't be asked for it.",
      "Write the value behind the number, label or identifier; an empty one is `\"\"`."
    ),
    (
      "value-unexpected", "A button takes no value.",
      "Write the number, label or identifier alone."
    ),
    (
      "not-a-number", "The field takes a number, and the value is none.",
      "Write digits, such as `12` or `1.5`."
    ),
    (
      "not-on-or-off", "The toggle takes `on` or `off`.",
      "Write one of the two, or nothing, to flip it."
    ),
    (
      "no-such-option", "The choice has no such option.",
      "Write one of the labels or identifiers that are listed."
    ),
    (
      "ambiguous-option", "Several options have the label.",
      "Write the option's identifier."
    ),
    (
      "newline-in-value", "The field is of one line, and the value has several.",
      "Leave the line breaks out."
    ),
    (
      "wrong-type", "The JSON value is of a kind that the control does not take.",
      "Send a value of the kind that is named."
    ),
    (
      "not-taken", "The control does not take this value now.",
      "Look at the screen again."
    ),
    (
      "nothing-to-page", "No list on the screen has more than one page.",
      "Nothing needs to be done: everything is shown."
    ),
    (
      "no-more-pages", "This is the first or the last page.",
      "Go the other way, or to a page with `:page N`."
    ),
    (
      "no-such-page", "There is no page of that number.",
      "Take one of those that there are."
    ),
    (
      "not-found", "No row of the screen's lists holds the text.",
      "Look for less of it; case does not count."
    ),
    (
      "not-shown", "The screen does not show what `:expect` expects.",
      "Correct the script, or the app."
    ),
    (
      "other-path", "The path is not the one that `:expect-path` expects.",
      "Correct the script, or the app; `:path --full` prints the path."
    ),
  ]
}
