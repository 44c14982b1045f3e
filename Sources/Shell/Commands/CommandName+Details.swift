extension CommandName {
  /// What the command does, at length: one paragraph an element.
  public var details: [String] {
    switch self {
    case .back:
      [
        "A screen may have an action of its own for this, such as asking whether to discard changes.",
        "Refused on the first screen.",
      ]
    case .dismiss:
      [
        "Every screen that was opened in the dialog goes with it.",
        "If the screen in front asks before it is left, answer it first.",
      ]
    case .tab:
      [
        "NAME is the tab's name or its title, whole, ignoring case. Refused while a dialog covers "
          + "the tabs."
      ]
    case .open:
      [
        "LINK is one that the app declares, or a path as ':path --full' prints it. It is checked "
          + "before anything changes.",
        "If the screen in front asks before it is left, answer it first.",
      ]
    case .press:
      [
        "Use it where the number is another control's label, too.",
        "A control that needs a value is written 'N VALUE'.",
      ]
    case .next, .previous:
      [
        "Where a screen has several lists, the one that was paged last moves; at its end the next "
          + "one does."
      ]
    case .page:
      ["Pages are counted from 1. Where a screen has several lists, the one paged last moves."]
    case .find:
      [
        "Looks in every cell, ignoring case, from the row after the one found last; after the "
          + "last row it goes on from the first.",
        "TEXT in double quotes is read as a JSON string.",
      ]
    case .path:
      [
        "The middle of a long path is left out; ':path --full' prints it whole, so that ':open' "
          + "can come back to it. Secrets are left out always."
      ]
    case .graph: ["Where you are is marked."]
    case .state:
      [
        "It is a tree, as the feature encodes it; what the last line changed is marked. Secrets are "
          + "left out."
      ]
    case .log:
      [
        "Each with where it came from, whose it was, how long it took, and what came of it. Secrets "
          + "are left out."
      ]
    case .plugins: ["Each with its version, its features, its file and what has become of it."]
    case .reload:
      [
        "A folder of sources is built first. The state of every screen is carried over; effects end, "
          + "and begin anew as the feature says. If anything fails nothing changes and the reason is "
          + "told.",
        "'appcore run --watch' does it whenever a file is saved.",
      ]
    case .resume:
      [
        "A plugin is suspended when it has crashed again and again, and so is an instance that has "
          + "crashed twice in the same way. Their data is kept; this has them go on with it."
      ]
    case .explain:
      [
        "Without CODE it is about the last line or action: the reason, what can be done, and the line "
          + "and the actions that led there.",
        "With CODE it tells what the code at the end of a message means, as 'appcore explain' does.",
      ]
    case .wait:
      [
        "No action is queued then, and every effect has ended or waits on a clock. SECONDS is the "
          + "limit, 5 unless given; in a script it is the limit for the lines after it, too.",
        "A timer waits on a clock: ':sleep' and ':expect TEXT within SECONDS' let time pass.",
      ]
    case .sleep: ["Effects go on meanwhile. The screen is printed then."]
    case .expect:
      [
        "For scripts: TEXT is looked for in what the screen shows once it has settled, ignoring case; "
          + "if it isn't there the script ends.",
        "With 'within' it passes as soon as the screen shows TEXT, and ends the script after that "
          + "time.",
        "TEXT in double quotes is read as a JSON string.",
      ]
    case .expectPath: ["For scripts: the path is the one that ':path --full' prints."]
    case .history:
      [
        "With TEXT those that hold it, ignoring case; at most 20, each with its number.",
        "Lines with secrets, and those that begin with a space, are not kept. 'appcore run "
          + "--no-history' and APPCORE_HISTORY=off keep none.",
      ]
    case .again:
      ["N is a line's number as ':history' prints it."]
    case .help:
      ["':help COMMAND' tells more about one command."]
    case .quit:
      ["Whatever is on the screen; what features have to save is saved."]
    }
  }
}
