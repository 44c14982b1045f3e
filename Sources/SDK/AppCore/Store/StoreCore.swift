/// What the host and tests set on a store, whatever its state and actions are.
package class AnyStoreCore {
  /// The actor that the store lives on.
  let isolation: any Actor
  /// Called when the buffer has run empty, if any action was reduced.
  @exclusivity(unchecked) final var didSettleActions: (() -> Void)?
  /// The dependencies that reducers and effects see; `nil` for those of the sender's task.
  @exclusivity(unchecked) final var dependencies: DependencyValues?
  // Here and not beside what they tell of: where a field of a generic type stands, its type has to
  // be asked, and whether an array of one is empty too.
  @exclusivity(unchecked) final var isReducing = false
  @exclusivity(unchecked) final var isChangingState = false
  @exclusivity(unchecked) final var bufferCount = 0
  @exclusivity(unchecked) final var isObserved = false
  @exclusivity(unchecked) final var isListenedTo = false
  @exclusivity(unchecked) final var hasDelegates = false
  /// The most actions that effects have sent directly, each in answer to the one before.
  final var longestSendChain = 0
  /// What an effect is that is nothing: one word, whatever its actions are.
  final let noEffect = unsafeBitCast(Effect<Never>.none, to: Int.self)
  /// How many actions may bring each other about before anything else is done.
  final var cascadeLimit = Int.max
  /// How many actions may wait in the buffer.
  final var bufferLimit = Int.max
  /// Whether what brings itself about without end is being dropped.
  @exclusivity(unchecked) final var isCut = false

  init(isolation: any Actor) { self.isolation = isolation }

  /// The sequences that are fed.
  private final var feeds: [AnyStoreFeed] = []

  /// Keeps a sequence's feed until nobody takes from it, or the store goes.
  final func keep(_ feed: AnyStoreFeed) {
    dropEndedFeeds()
    feeds.append(feed)
  }

  final func dropEndedFeeds() {
    if !feeds.isEmpty { feeds.removeAll(where: \.hasEnded) }
  }

  /// The account of effects that run.
  var activity: ActivityMonitor? { nil }
}

/// The root of a store: the state, the reducer and the effects, which all stores scoped from it
/// share.
final class StoreCore<State, Action: Sendable>: AnyStoreCore {
  /// An action that waits, because another one is being reduced.
  private struct Pending {
    let action: Action
    /// Where its effects belong; `nil` where to those of the action that was sent from outside.
    let group: EffectGroup?
    /// How many effects have sent an action directly, one in answer to the other, up to this one.
    let chain: Int
    /// How many actions have brought each other about, this one last, by whatever way.
    let cascade: Int
    let link: SendChain<Action>?
  }

  var state: State {
    _read {
      precondition(
        !isChangingState,
        "the state of a store was read by its own reducer, which has it as its first argument")
      yield current.pointee
    }
  }

  // By its address: the compiler's checks for overlapping access cost more than all else that a send
  // does, and the store knows when a reducer has its state: so it checks itself.
  private let current: UnsafeMutablePointer<State>
  /// Where the reducer puts its effect.
  ///
  /// In a variable, the effect's type would be looked up for every action.
  private let slot: UnsafeMutableRawPointer
  private let step: Unmanaged<RawStep>
  /// Holds the step, so that it need not be retained for an action.
  private let ownedStep: RawStep
  private let boundary: ActionBoundary<Action>
  @exclusivity(unchecked) private var buffer: [Pending] = []
  private var effects: EffectRunner<Action>?
  /// Those who are told when the buffer has run empty.
  @exclusivity(unchecked) private var observers: Listeners<State>?
  /// Those who are told of each action once it is reduced, or has left as a delegate action.
  @exclusivity(unchecked) private var listeners: Listeners<SendChain<Action>>?
  /// The chain of the action that is reduced now.
  @exclusivity(unchecked) private var chain = 0
  @exclusivity(unchecked) private var cascade = 0
  @exclusivity(unchecked) private var link: SendChain<Action>?
  /// Called with the action with which a cascade that reached its limit was cut.
  var didCut: ((Action) -> Void)?
  private var cutAction: Action?

  init(initialState: State, step: Assembly<State, Action>.Step, isolation: any Actor) {
    current = .allocate(capacity: 1)
    current.initialize(to: initialState)
    slot = .allocate(byteCount: MemoryLayout<Int>.size, alignment: MemoryLayout<Int>.alignment)
    self.step = .passUnretained(step.raw)
    ownedStep = step.raw
    boundary = ActionBoundary<Action>()
    super.init(isolation: isolation)
    hasDelegates = boundary.hasDelegates
    effects = EffectRunner(isolation: isolation) { [weak self] in
      self?.receive($0, $1, isDirect: $2)
    }
  }

  deinit {
    current.deinitialize(count: 1)
    current.deallocate()
    slot.deallocate()
  }

  override var activity: ActivityMonitor? { effects?.monitor }

  /// The actions whose effects run; known only with listeners to actions.
  var runningOrigins: [Action?] { effects?.runningOrigins ?? [] }
  func cancelEffects() { effects?.cancelAll() }
  func onEffects(_ body: @escaping () -> Void) { effects?.didChange = body }
  func onDropped(_ body: @escaping (Action) -> Void) { effects?.didDrop = body }
  var effectActivities: [EffectActivity] { effects?.activities ?? [] }
  func onFlood(_ body: @escaping (EffectID, Int) -> Void) { effects?.didFlood = body }

  /// Reduces an action from outside, and all that it brings about at once.
  func send(_ action: Action) -> StoreTask {
    guard !isReducing else {
      let group = EffectGroup()
      append(action, group, isDirect: false)
      return StoreTask(group: group)
    }
    return StoreTask(group: drain(action, nil, isDirect: false))
  }

  /// Reduces an action that an effect sends.
  private func receive(_ action: Action, _ group: EffectGroup?, isDirect: Bool) {
    guard !isReducing else { return append(action, group, isDirect: isDirect) }
    _ = drain(action, group, isDirect: isDirect)
  }

  /// Starts an effect that no action asked for.
  func perform(_ make: (inout State) -> Effect<Action>) -> StoreTask {
    var group: EffectGroup?
    withOwnDependencies {
      if let operation = make(&current.pointee).operation {
        effects?.perform(operation, from: nil, in: &group)
      }
    }
    return StoreTask(group: group)
  }

  /// Calls `body` when the buffer has run empty.
  func observe(_ body: @escaping (borrowing State) -> Void) -> StoreObservation {
    let observers = observers ?? Listeners()
    self.observers = observers
    isObserved = true
    return observers.add(body)
  }

  /// Calls `body` with each action.
  func listen(_ body: @escaping (borrowing SendChain<Action>) -> Void) -> StoreObservation {
    let listeners = listeners ?? Listeners()
    self.listeners = listeners
    isListenedTo = true
    return listeners.add(body)
  }

  private func append(_ action: Action, _ group: EffectGroup?, isDirect: Bool) {
    // A delegate action is for others: with it a chain ends.
    let isLink = isDirect && !(hasDelegates && boundary.isDelegate(action))
    let chain = isLink ? chain + 1 : 0
    if chain > longestSendChain { longestSendChain = chain }
    let cascade = cascade + 1
    // Actions that multiply fill the buffer long before they are many in a row.
    if cascade > cascadeLimit || bufferCount > bufferLimit || isCut { return cut(action) }
    group?.enter()
    bufferCount += 1
    buffer.append(
      Pending(
        action: action, group: group, chain: chain, cascade: cascade,
        link: listeners == nil ? nil : SendChain(action, after: isLink ? link : nil)))
  }

  /// Drops an action, and all that is brought about until the buffer has run empty.
  @inline(never)
  private func cut(_ action: Action) {
    guard !isCut else { return }
    isCut = true
    cutAction = action
  }

  /// Tells of a cascade that was cut, once nothing of it is left.
  @inline(never)
  private func tellCut() {
    isCut = false
    guard let action = cutAction else { return }
    cutAction = nil
    didCut?(action)
  }

  private func withOwnDependencies(_ body: () -> Void) {
    guard let dependencies else { return body() }
    DependencyValues.$current.withValue(dependencies, operation: body)
  }

  private func drain(_ first: Action, _ owner: EffectGroup?, isDirect: Bool) -> EffectGroup? {
    guard let dependencies else { return drainHere(first, owner, isDirect) }
    return DependencyValues.$current.withValue(dependencies) { drainHere(first, owner, isDirect) }
  }

  private func drainHere(
    _ first: Action, _ owner: EffectGroup?, _ isDirect: Bool
  ) -> EffectGroup? {
    var group = owner
    isReducing = true
    if isDirect {
      chain = 1
      longestSendChain = max(1, longestSendChain)
    }
    if isListenedTo { beginChain(first) }
    // The first action needs no place in the buffer, and most bring no others about.
    reduce(first, &group)
    if bufferCount > 0 { reduceBuffer(&group) }
    // Still within the loop: what an observer sends is buffered as well.
    settle()
    while bufferCount > 0 {
      reduceBuffer(&group)
      settle()
    }
    isReducing = false
    if isDirect { chain = 0 }
    if isListenedTo { endChain() }
    return group
  }

  private func settle() {
    didSettleActions?()
    if isObserved { tellObservers() }
  }

  @inline(never)
  private func tellObservers() {
    dropEndedFeeds()
    observers?.tell(current.pointee)
  }

  @inline(never)
  private func tellListeners() {
    if let link { listeners?.tell(link) }
  }

  @inline(never)
  private func beginChain(_ first: Action) { link = SendChain(first, after: nil) }

  @inline(never)
  private func endChain() { link = nil }

  private func reduce(_ action: Action, _ group: inout EffectGroup?) {
    // A delegate action never comes back to the reducer that emitted it.
    if hasDelegates, boundary.isDelegate(action) {
      if isListenedTo { tellListeners() }
      return
    }
    isChangingState = true
    withUnsafePointer(to: action) { action in
      step._withUnsafeGuaranteedRef { $0.run(current, action, slot) }
    }
    isChangingState = false
    if isListenedTo { tellListeners() }
    if slot.load(as: Int.self) != noEffect { performFromSlot(&group) }
  }

  // Apart from `reduce`, which would look up its types for every action.
  @inline(never)
  private func performFromSlot(_ group: inout EffectGroup?) {
    let effect = slot.assumingMemoryBound(to: Effect<Action>.self).move()
    guard let operation = effect.operation else { return }
    effects?.perform(operation, from: link.map { EffectOrigin($0.action) }, in: &group)
  }

  private func reduceBuffer(_ group: inout EffectGroup?) {
    var index = 0
    while index < bufferCount {
      let pending = buffer[index]
      index += 1
      // What was reduced is let go from time to time, so that an endless chain holds no memory; not
      // before it is half of the buffer, so that each action is moved a constant number of times.
      if index >= 1024, index >= bufferCount / 2 {
        buffer.removeFirst(index)
        bufferCount -= index
        index = 0
      }
      chain = pending.chain
      cascade = pending.cascade
      link = pending.link
      if let own = pending.group {
        var group: EffectGroup? = own
        reduce(pending.action, &group)
        own.leave()
      } else {
        reduce(pending.action, &group)
      }
    }
    chain = 0
    cascade = 0
    link = nil
    bufferCount = 0
    buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
    if isCut { tellCut() }
  }
}

/// An action, with those whose effects sent it directly, one in answer to the other.
package final class SendChain<Action: Sendable>: Sendable {
  package let action: Action
  /// The action before; `nil` where this one came from outside or from work that ran.
  package let previous: SendChain?
  /// How many effects were nothing but an action, up to this one.
  package let length: Int

  init(_ action: Action, after previous: SendChain?) {
    self.action = action
    self.previous = previous
    length = previous.map { $0.length + 1 } ?? 0
  }
}
