/// The tests that run what docs/tca-api.md calls "the same", by the row's name: a test's
/// title, as it is written in its `@Test`.
let testsOfTCATable: [(rows: [String], test: String)] = [
  (
    ["Reducer", "ReducerOf", "Reduce", "EmptyReducer", "StoreOf", "Store(initialState:reducer:)"],
    "A store builds each body once, and runs its reducers in order on every action"
  ),
  (["CombineReducers"], "The effects of all reducers are merged, in order"),
  (["ReducerBuilder"], "A body takes reducers whose types are known only when the app runs"),
  (
    ["Scope(state:action:child:)"],
    "An action changes the child that it is for, and no other, before the parent sees it"
  ),
  (
    ["ifLet(_:action:) of an optional"],
    "An action changes the child that it is for, and no other, before the parent sees it"
  ),
  (
    ["ifLet(_:action:) of a presentation"],
    "A child dismisses itself, and its parent sees it before the child is gone"
  ),
  (
    ["ifLet(_:action:) of an alert", "AlertState", "PresentationAction"],
    "A button's action reaches the parent while the alert is there, and then lets it go"
  ),
  (
    ["ifCaseLet(_:action:)"],
    "The effects of a child end when it goes; those of its parent and other children go on"
  ),
  (
    ["forEach(_:action:) of a collection", "IdentifiedAction", "IdentifiedActionOf"],
    "An action changes the child that it is for, and no other, before the parent sees it"
  ),
  (
    ["forEach(_:action:) of a stack", "StackAction", "StackActionOf", "StackState"],
    "The parent sees a push and a pop before the stack changes"
  ),
  (
    ["onChange(of:)"],
    "The further reducers run when the part has changed, with its old and new value"
  ),
  (
    ["dependency(_:_:)"],
    "The reducer and its effects see the value, each change once, and its parent does not"
  ),
  (
    ["Effect, EffectOf", "Effect.run(operation:)", "Send"],
    "An effect starts at once; it continues when what it sends has been reduced"
  ),
  (["Effect.none"], "Nothing combined with nothing is nothing"),
  (
    ["Effect.send(_:)", "store.send(_:)"],
    "Actions sent while one is reduced are buffered, and reduced in order"
  ),
  (
    ["Effect.run(operation:catch:)"],
    "A handler gets the error and may send, and then nothing is reported"
  ),
  (["Effect.merge(_:), merge(with:)"], "Merged effects run at once"),
  (
    ["Effect.concatenate(_:), concatenate(with:)"],
    "Concatenated effects run one after another, all of one before any of the next"
  ),
  (
    ["cancellable(id:cancelInFlight:)"],
    "With cancelInFlight a new effect takes the place of the one before"
  ),
  (
    ["Effect.cancel(id:)"],
    "A parent ends its children's effects by their id, not its siblings' or its own parent's"
  ),
  (
    ["debounce(id:for:)"], "A debounced effect is performed when no other has come for the duration"
  ),
  (
    ["throttle(id:for:latest:)"],
    "Of the effects in one interval the first is performed, and one more at its end"
  ),
  (
    ["Store(initialState:reducer:withDependencies:)"],
    "A store has dependencies of its own; an observer says itself what counts as a change"
  ),
  (
    ["store.scope(state:action:)"],
    "A send through two scopes is one send to the root, and one call of its reducer"
  ),
  (
    ["store.scope of an optional or a presentation"],
    "Optional, presented and identified children, stack elements and cases have stores"
  ),
  (["StoreTask"], "It ends with the effects, and with those of the actions that they send"),
  (
    ["StoreTask.cancel(), isCancelled"],
    "It cancels the effects, and those of the actions that they sent"
  ),
  (
    ["BindableAction", "BindingAction", "case .binding(\\.text):", "BindingReducer()"],
    "A field changes its property, and the reducer sees which one"
  ),
  (
    ["BindingAction of an array's element or of a computed property"],
    "A field with an id is bound to a computed property, or to an element of an array"
  ),
  (
    ["StackState.append(_:)", "StackState.ids"],
    "An id is never given twice, however often elements are pushed and popped"
  ),
  (["StackState.subscript(id:)"], "An element is changed where it is"),
  (
    ["StackState.pop(from:), pop(to:)"],
    "Popping takes an element and all above it, or only what is above it"
  ),
  (["StackElementID"], "A closure of an assertion puts elements on a stack by their identifiers"),
  (
    ["Destination.State.row(…), Destination.Action.row(…)"],
    "The child that is shown gets its actions, and its delegate actions go to the parent alone"
  ),
  (
    ["DismissEffect, \\.dismiss"],
    "A child dismisses itself, and its parent sees it before the child is gone"
  ),
  (
    ["\\.isPresented"],
    "The effects of a presented child know that it is one, and those of a fixed child do not"
  ),
  (
    ["ConfirmationDialogState", "ButtonState"],
    "A screen shows it as title, message and buttons, which send its actions"
  ),
  (
    [
      "TestStore(initialState:reducer:withDependencies:)", "TestStoreOf",
      "TestStore.send(_:assert:)",
      "TestStore.receive(_:assert:) of an action", "TestStore.finish()",
    ], "A feature's whole story, told exhaustively"
  ),
  (
    ["TestStore.timeout"],
    "It says what is wrong, where, what differs, the causes and the remedy"
  ),
  (
    ["TestStore.assert(_:)", "TestStore.state"],
    "The state goes with the assertions, not with the effects"
  ),
  (
    ["TestStore.exhaustivity", "TestStore.withExhaustivity(_:)"],
    "Not exhaustively, a test asserts what it is about"
  ),
  (
    ["TestStore.skipReceivedActions()", "TestStore.skipInFlightEffects()"],
    "Not exhaustively, a test asserts what it is about"
  ),
  (
    ["TestStore.dependencies", "TestStore.receive(timeout:)"],
    "It fails a test of Swift Testing"
  ),
  (["TestStore.isDismissed"], "'dismiss' cancels the effects, and the clock has no sleeper left"),
  (["TestStoreTask"], "A child that is not presented, as a test can say, goes on"),
  (
    ["expectNoDifference(_:_:)", "diff(_:_:)", "customDump(_:)", "String(customDumping:)"],
    "Values are compared part by part, and dumped without secrets"
  ),
  (
    ["@Dependency(\\.name)", "DependencyValues"],
    "Replaced values hold inside, and nest, and end"
  ),
  (["@Dependency(Key.self)"], "Read by its key, it is named for the key"),
  (
    ["DependencyKey", "\\.context"],
    "Unset, it is live or a test's; a value that is set stands in every context, an optional nil too"
  ),
  (["withDependencies(_:operation:)"], "Replaced values hold inside, and nest, and end"),
  (
    ["withEscapedDependencies(_:)"],
    "A closure that is called without dependencies has those that were taken along"
  ),
  (
    ["unimplemented(_:)", "unimplemented(_:placeholder:)"],
    "A function that is not implemented reports its name, and throws or returns a placeholder"
  ),
  (["\\.date"], "The date is the machine's, or what a test says"),
  (["\\.date.now, set"], "The date is the machine's, or what a test says"),
  (
    ["\\.uuid", "UUIDGenerator.incrementing, .constant"],
    "Unique ids are all different, or counted"
  ),
  (
    ["\\.withRandomNumberGenerator"],
    "A seeded generator continues from call to call, and says the same in every run"
  ),
  (["\\.openURL"], "A URL goes to the test's handler, and an error names URL and reason"),
  (["\\.locale"], "A locale has a language, and a region where it says one"),
  (["\\.timeZone"], "A fixed zone is as far from UTC as it says, and named for it"),
  (
    ["clock.sleep(for:), sleep(until:)"],
    "The immediate clock advances to the end of each sleep"
  ),
  (
    ["clock.timer(interval:)"],
    "A timer gives the moments until its task is cancelled; it has a positive interval"
  ),
  (
    ["TestClock()", "TestClock.advance(by:), advance(to:)", "TestClock.run()"],
    "Sleepers are woken by deadline, then in the order in which they went to sleep"
  ),
  (
    ["@Shared(.inMemory(_:))", "SharedKey", "withLock(_:)"],
    "Who uses the same key has the same value; another key is another value"
  ),
  (
    [
      "@SharedReader", "Shared.init?(_:) of an optional", "$shared.member", "$shared[id:]",
      "SharedReader(_:)",
    ], "A property, what an optional holds, and an element are shared as well"
  ),
  (["Shared(value:)"], "Values are compared, not references"),
  (["@Shared without a key"], "Two that shared a value without a key do so again"),
  (
    ["$shared.save()"],
    "A saved value is on the disk when 'save' returns; a mere change, a moment later"
  ),
  (
    [
      "IdentifiedArray, IdentifiedArrayOf", "rows.ids, rows.index(id:)",
      "rows.append(_:), append(contentsOf:)", "rows.insert(_:at:)",
    ],
    "Elements come and go at any place"
  ),
  (
    ["rows.remove(atOffsets:)"],
    "Elements are removed by their positions, however these are ordered"
  ),
  (["SharedKey.Default"], "A key with an initial value needs none where it is used"),
  (
    ["ifLet(_:action:) of an alert in a plain optional"],
    "In a plain optional, any of its actions dismisses a dialog before the parent handles it"
  ),
  (["rows[id:]"], "Elements come and go at any place"),
  (
    [
      "IdentifiedArray(uniqueElements:)", "rows.move(fromOffsets:toOffset:)",
      "rows.swapAt(_:_:), reverse(), shuffle()", "rows.sort(by:)", "rows.partition(by:)",
    ], "Sorting, swapping, reversing, partitioning and moving keep every element to be found"
  ),
  (
    [
      "rows.updateOrAppend(_:), updateOrInsert(_:at:)", "rows.remove(id:), remove(at:)",
      "rows.removeAll(where:)", "rows.removeLast()", "rows.filter(_:)",
    ], "Elements come and go at any place"
  ),
]

/// The tests that run what the first table of docs/tca-api.md calls "the same", by the row's first
/// cell.
let testsOfTCANames: [(row: String, tests: [String])] = [
  (
    "`StoreOf<F>`, `TestStoreOf<F>`, `EffectOf<F>`",
    [
      "A store builds each body once, and runs its reducers in order on every action",
      "A feature's whole story, told exhaustively",
      "An effect starts at once; it continues when what it sends has been reduced",
    ]
  ),
  (
    "`IdentifiedArrayOf<Row.State>`, `IdentifiedActionOf<Row>`, `StackState`, `StackActionOf`, `StackElementID`",
    [
      "An action changes the child that it is for, and no other, before the parent sees it",
      "The parent sees a push and a pop before the stack changes",
      "A closure of an assertion puts elements on a stack by their identifiers",
    ]
  ),
  (
    "`BindingReducer()`, `case .binding(\\.name)`",
    ["A field changes its property, and the reducer sees which one"]
  ),
  (
    "`AlertState`, `ConfirmationDialogState`",
    [
      "A button's action reaches the parent while the alert is there, and then lets it go",
      "A screen shows it as title, message and buttons, which send its actions",
    ]
  ),
  ("a reducer that calls itself", ["A body has its own reducer in it"]),
  (
    "`\\.date`, `\\.uuid`, `\\.withRandomNumberGenerator`",
    [
      "The date is the machine's, or what a test says",
      "Unique ids are all different, or counted",
      "A seeded generator continues from call to call, and says the same in every run",
    ]
  ),
  (
    "`\\.dismiss`, `\\.isPresented`, `\\.openURL`",
    [
      "A child dismisses itself, and its parent sees it before the child is gone",
      "The effects of a presented child know that it is one, and those of a fixed child do not",
      "A URL goes to the test's handler, and an error names URL and reason",
    ]
  ),
  (
    "`DependencyKey`, `liveValue`, `testValue`",
    [
      "Unset, it is live or a test's; a value that is set stands in every context, an optional nil too"
    ]
  ),
  (
    "`Effect.run`, `.send`, `.merge`, `.concatenate`, `.cancellable`, `.cancel`",
    [
      "An effect starts at once; it continues when what it sends has been reduced",
      "Merged effects run at once",
      "Concatenated effects run one after another, all of one before any of the next",
      "With cancelInFlight a new effect takes the place of the one before",
    ]
  ),
  (
    "`Reducer` written as `reduce(into:action:)`",
    ["The further reducers run when the part has changed, with its old and new value"]
  ),
]
