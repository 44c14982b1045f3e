extension CommandName {
  /// The command's detailed description, one paragraph per element.
  public var details: [String] {
    switch self {
    case .back:
      [
        "A screen may handle this itself, for example by asking whether to discard changes.",
        "Refused on the first screen.",
      ]
    case .dismiss:
      [
        "Every screen that was opened in the dialog is closed too.",
        "If the screen in front asks before it is left, answer it first.",
      ]
    case .tab:
      [
        "NAME is the tab's full name or title, ignoring case. Refused while a dialog covers the tabs."
      ]
    case .open:
      [
        "LINK is a link that the app declares, or a path as printed by ':path --full'. It is checked "
          + "before anything changes.",
        "If the screen in front asks before it is left, answer it first.",
      ]
    case .press:
      [
        "Use it if the number is also the label of another control.",
        "For a control that needs a value, write 'N VALUE'.",
      ]
    case .next, .previous:
      [
        "If a screen has several lists, this pages the one that was paged last; at its end, it pages "
          + "the next one."
      ]
    case .page:
      ["Pages are counted from 1. If a screen has several lists, this pages the one paged last."]
    case .find:
      [
        "Searches every cell, ignoring case, starting after the row that was found last, and wraps "
          + "around at the end.",
        "TEXT in double quotes is read as a JSON string.",
      ]
    case .path:
      [
        "The middle of a long path is left out; ':path --full' prints all of it, for ':open'. Secrets "
          + "are always left out."
      ]
    case .graph: ["The current position is marked."]
    case .state:
      [
        "The state is shown as a tree, as the feature encodes it; changes by the last line are "
          + "marked. Secrets are left out."
      ]
    case .log:
      [
        "Shows the origin, the instance, the duration and the result of each. Secrets are left out.",
        "With '--slow TIME', only the actions that took at least that long, of the latest 256 entries; "
          + "TIME has a unit, such as 250us, 5ms or 1s.",
        "With '--times', how often each kind of action was reduced since the app started, and how long "
          + "that took, the largest total first.",
      ]
    case .plugins: ["Shows the version, the features, the file and the status of each."]
    case .reload:
      [
        "A folder of sources is built first. The state of every screen is carried over; effects are "
          + "cancelled, and the feature starts new ones. If anything fails, nothing changes and the "
          + "reason is printed.",
        "Without PLUGIN, the manifest is read again, with the plugins that have changed. Screens whose "
          + "nodes are still there continue; the reason is printed for those that do not.",
        "'appcore run --watch' does so whenever a file is saved.",
      ]
    case .resume:
      [
        "A plugin is suspended when it has crashed again and again, and so is an instance that has "
          + "crashed twice in the same way. Their data is kept; this lets them continue with it."
      ]
    case .explain:
      [
        "Without CODE, explains the last line or action: the reason, the remedy, and the line and "
          + "actions that led to it.",
        "With CODE, explains the code at the end of a message, like 'appcore explain'.",
      ]
    case .timeline:
      [
        "Shows the last 50 steps: the number, the time since the beginning, the line or the source, the "
          + "action, what it changed and how long it took. A step is one action that was reduced."
      ]
    case .rewind:
      [
        "N is how many steps, 1 unless given. Effects continue, nothing can be pressed, and ':now' "
          + "shows the present again.",
        "Values that features share are shown as they were, too.",
      ]
    case .forward: ["N is how many steps, 1 unless given. After the last step it is ':now'."]
    case .goto: ["N is a number printed by ':timeline'."]
    case .now: ["The steps since then are still there; ':forward' shows them."]
    case .continue:
      [
        "Effects end, and each screen begins those again that it continues with, as after a crash. That "
          + "is a step too: rewinding to one before it undoes it.",
        "Values that features share stay as they are now.",
      ]
    case .diff:
      ["Without N, the step that is shown, or the last one. Secrets are left out."]
    case .record:
      [
        "Writes a recording without secrets, for 'appcore replay' and for a bug report. 'appcore run "
          + "--record FILE' records from the beginning."
      ]
    case .wait:
      [
        "The app has settled when no action is queued and every effect has ended or waits on a "
          + "clock. SECONDS is the limit, 5 unless given; in a script, it also applies to the lines "
          + "after it.",
        "A timer waits on a clock: ':sleep' and ':expect TEXT within SECONDS' let time pass.",
      ]
    case .sleep: ["Effects keep running meanwhile. Then the screen is printed."]
    case .expect:
      [
        "For scripts: searches the screen for TEXT once it has settled, ignoring case; if TEXT isn't "
          + "there, the script ends.",
        "With 'within', succeeds as soon as the screen shows TEXT, and otherwise ends the script "
          + "after that time.",
        "TEXT in double quotes is read as a JSON string.",
      ]
    case .expectPath: ["For scripts: LINK is a path as printed by ':path --full'."]
    case .history:
      [
        "With TEXT, lists only lines that contain it, ignoring case; at most 20, with their numbers.",
        "Lines with secrets, and those that begin with a space, are not kept. 'appcore run "
          + "--no-history' and APPCORE_HISTORY=off keep none.",
      ]
    case .again:
      ["N is a number printed by ':history'."]
    case .help:
      ["':help COMMAND' describes one command in detail."]
    case .quit:
      ["Works on every screen; features save their data."]
    }
  }
}
