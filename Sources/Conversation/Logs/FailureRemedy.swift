/// What can be done about something that was refused or dropped, by its code.
enum FailureRemedy {
  static func text(_ code: String) -> String? {
    switch code {
    case "not-current":
      "A feature may enter only from the front. Where its route is to act all the same, it says "
        + "'ifCovered: cut' or 'ifCovered: over'."
    case "max-depth":
      "Go back first, or raise the node's 'maxDepth'."
    case "unavailable":
      "The feature or its plugin said why; ':plugins' shows what is loaded."
    case "no-such-tab": "The tabs of the containers that stand here are in the screen's header."
    case "tabs-covered": "Answer the dialog, or leave it with ':back'."
    case "asked-first": "The screen shows what it asks; ':back' leaves it as well."
    case "at-root": "':quit' leaves the app."
    case "not-in-modal": "':back' leaves a screen that is no dialog."
    case "not-on-path": "':path' shows the way back from here."
    case "would-empty": "Without 'inclusive' the first of the stack stays."
    case "gone":
      "Its effect went on after the instance was dismissed; effects that belong to it are "
        + "cancelled with it."
    case "outdated":
      "Effects end when their plugin is replaced; what is to go on, the feature's 'didRestore' returns."
    case "endless":
      "The feature sends an action in answer to itself, or two features notify each other."
    case "state-not-carried":
      "A new field needs a default (a state that is 'Defaulted'), or the feature a 'migrate'."
    case "plugin-does-not-fit": "Bring plugin and manifest together, and reload."
    case "no-receiver":
      "The route notifies a node of which no instance lives, or one without this input."
    case "invalid":
      "The payload does not fit what the receiver takes; 'appcore check' looks for it."
    case "stale": "Numbers mean the controls of the screen that was printed last; '@ID' stays."
    case "no-such-control": "':help' tells how controls are named."
    default: nil
    }
  }
}
