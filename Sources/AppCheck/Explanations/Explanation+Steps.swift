// Why a step of the navigation changes nothing.
extension Explanation {
  static let stepEntries: [Entry] = [
    (
      "not-current",
      "What emitted the action is not in front any more, so it may only leave. The second half "
        + "of a "
        + "double tap ends so.",
      "Nothing needs to be done; where the step is meant to happen all the same, `ifCovered` says "
        + "how."
    ),
    (
      "max-depth", "The stack holds as many instances of the node as its `maxDepth` allows.",
      "Go back first, or raise `maxDepth`."
    ),
    (
      "unavailable", "The instance could not be made. The message has the feature's reason.",
      "Correct what the reason names: arguments, files or the plugin."
    ),
    (
      "no-such-tab", "No container on the way outward has the tab.",
      "Name a tab that is shown; in a manifest, `select` belongs inside its container."
    ),
    (
      "tabs-covered", "A dialog lies over the container whose tab `:tab` names.",
      "Answer the dialog or leave it with `:back`; then select the tab."
    ),
    (
      "at-root", "There is nothing to go back to.",
      "`:quit` leaves the app."
    ),
    (
      "not-in-modal", "There is no dialog to dismiss.",
      "Use `back`."
    ),
    (
      "not-on-path", "The node that `popTo` names is not on the way back.",
      "Push it, or `reset` to it."
    ),
    (
      "would-empty", "`popTo` with `inclusive` would remove the first of a stack.",
      "Leave `inclusive` out, or `replace` it."
    ),
    (
      "no-receiver",
      "A notification is dropped: nobody stands where it is sent, or who does has no such input.",
      "Nothing needs to be done where that is meant; else notify a node that has the input."
    ),
    (
      "gone", "An action came after its instance was dismissed, and is dropped.",
      "Nothing needs to be done: effects end with their instance, and this one was on its way."
    ),
    (
      "outdated",
      "An action came from a build of the plugin that has been replaced, and is dropped. The effects "
        + "of the former build end when the new one takes its place.",
      "Nothing needs to be done; what is to go on after a reload is returned by `didRestore`."
    ),
    (
      "endless",
      "Actions brought each other about without end: an effect that is nothing but an action, sent "
        + "in answer to itself, or two features that notify each other. After 100,000 in a row, or "
        + "250,000 that wait, what they bring about is dropped.",
      "Let the feature that is named stop sending; `:log` shows the last actions."
    ),
    (
      "overdue",
      "An instance was removed, and the effects that its feature's `willEnd` returned had not ended "
        + "after 5 s; they are cancelled, and what they were to save may be lost.",
      "Let `willEnd` do only what can't wait, and let it end by itself where it can't succeed."
    ),
    (
      "flood",
      "An instance has 10,000 effects that run, or a doubling of that: it starts more than end. "
        + "Nothing is dropped.",
      "Give the effects an `id` with `cancellable(id:cancelInFlight:)`, or let them end."
    ),
    (
      "many-builds",
      "A plugin was loaded again, and so often that 200 builds of plugins or more are in memory. Former "
        + "builds stay there: a Swift library is never closed. Before the system's limit of mappings is "
        + "reached, reloads are refused.",
      "Start the app again when that suits."
    ),
    (
      "invalid",
      "What crosses between features did not fit, although the types did: the receiver's own coding "
        + "refuses it. The reason is in the log.",
      "Correct the coding of the type that the reason names."
    ),
  ]
}
