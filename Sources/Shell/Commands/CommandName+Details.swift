extension CommandName {
  /// What the command does, at length: one paragraph an element.
  public var details: [String] {
    switch self {
    case .back:
      [
        "Leaves the screen that is in front, as the feature's own way back does. A screen may "
          + "have an action of its own for this, such as asking whether to discard changes.",
        "Refused on the first screen.",
      ]
    case .dismiss:
      ["Closes the whole dialog in front, with every screen that was opened in it."]
    case .tab:
      ["NAME is the tab's name or its title, whole, ignoring case."]
    case .open:
      [
        "LINK is one that the app declares, or a path as ':path --full' prints it. It is checked "
          + "before anything changes."
      ]
    case .press:
      [
        "Does what the bare number does, also where the number is another control's label.",
        "A control that needs a value is written 'N VALUE'.",
      ]
    case .next, .previous:
      [
        "Lists are shown a page at a time. Where a screen has several, the one that was paged "
          + "last moves; at its end the next one does."
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
    case .graph:
      ["Prints every screen with the routes that lead out of it, and marks where you are."]
    case .state:
      [
        "Prints the state as a tree, as the feature encodes it, and marks what the last line "
          + "changed. Secrets are left out."
      ]
    case .log:
      [
        "Prints the last lines and actions: where each came from, whose it was, how long it took, "
          + "and what came of it. Secrets are left out."
      ]
    case .plugins:
      ["Prints every plugin with its version, its features, its file and what has become of it."]
    case .reload:
      [
        "Loads the plugin's file again, or builds the folder of its sources first, and carries the "
          + "state of every screen over. Effects end, and begin anew as the feature says. If "
          + "anything fails nothing changes and the reason is told.",
        "'appcore run --watch' does it whenever a file is saved.",
      ]
    case .explain:
      [
        "Tells why the last line was refused or the last action dropped, what can be done, and "
          + "the line and the actions that led there.",
        "With CODE it tells what the code at the end of a message means, as 'appcore explain' does.",
      ]
    case .wait:
      [
        "Waits until no action is queued and every effect has ended or waits on a clock, at most "
          + "SECONDS, 5 unless given. In a script SECONDS is also the limit for the lines after "
          + "it."
      ]
    case .expect:
      [
        "For scripts: looks for TEXT in what the screen shows, ignoring case, and ends the script "
          + "if it isn't there."
      ]
    case .expectPath:
      [
        "For scripts: compares with what ':path --full' prints, and ends the script if they "
          + "differ."
      ]
    case .history:
      [
        "Prints the last lines that were typed, with TEXT those that hold it, ignoring case; at "
          + "most 20, each with its number.",
        "Lines with secrets, and those that begin with a space, are not kept. 'appcore run "
          + "--no-history' and APPCORE_HISTORY=off keep none.",
      ]
    case .again:
      ["N is a line's number as ':history' prints it."]
    case .help:
      ["':help COMMAND' tells more about one command."]
    case .quit:
      ["Always leaves, whatever is on the screen."]
    }
  }
}
