internal import Glibc

/// Bodies that contain their own reducer: as in `.ifLet(\.$next, action: /Action.next) { Self() }`,
/// or by way of others.
///
/// A body is assembled once and as a whole, which for these would have no end. So while a reducer is
/// assembled, one inside that is the same runs what is being assembled, once that is there.
@usableFromInline
enum Recursion {
  /// A reducer that is being assembled on this thread.
  @usableFromInline
  class Frame {
    /// The one whose body this one is in.
    let outer: Frame?
    let type: Any.Type
    /// How many reducers of its type are being assembled, with this one.
    let count: Int
    /// What is to become of the one that is assembled, where another one inside is the same.
    @usableFromInline final var knot: Knot?

    init(_ type: Any.Type) {
      let outer = Recursion.innermost
      self.type = type
      self.outer = outer
      count = 1 + (outer.flatMap { $0.frame(of: type) }?.count ?? 0)
    }

    /// Whether it is of the reducer that has these bytes.
    func isSame(as bytes: UnsafeRawBufferPointer) -> Bool { false }

    /// The innermost frame with a reducer of a type.
    func frame(of type: Any.Type) -> Frame? {
      var frame: Frame? = self
      while let current = frame, current.type != type { frame = current.outer }
      return frame
    }
  }

  /// Holds the reducer, so that what its bytes refer to is not replaced by something else.
  private final class FrameOf<R>: Frame {
    let reducer: R

    init(_ reducer: R) {
      self.reducer = reducer
      super.init(R.self)
    }

    override func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
      withUnsafeBytes(of: reducer) { own in
        own.count == bytes.count && own.elementsEqual(bytes)
      }
    }
  }

  /// Reducers of one type that contain each other and differ are assembled at once until they are
  /// this many; from there on each is when its first action comes.
  private static var limit: Int { 16 }

  /// What to do with a reducer inside others.
  @usableFromInline
  enum Place {
    /// Assemble it, inside this frame.
    case own(Frame)
    /// It is the one of this frame.
    case same(Frame)
    /// Assemble it when it is needed.
    case later
  }

  @usableFromInline
  static func place<R>(of reducer: R) -> Place {
    var frame = innermost?.frame(of: R.self)
    guard let first = frame else { return .own(FrameOf(reducer)) }
    while let current = frame {
      if withUnsafeBytes(of: reducer, current.isSame(as:)) { return .same(current) }
      frame = current.outer?.frame(of: R.self)
    }
    return first.count < limit ? .own(FrameOf(reducer)) : .later
  }

  /// Runs `body` inside a frame, or outside all of them.
  @usableFromInline
  static func within<Result>(_ frame: Frame?, _ body: () -> Result) -> Result {
    let outer = innermost
    innermost = frame
    defer { innermost = outer }
    return body()
  }

  private static var innermost: Frame? {
    get {
      pthread_getspecific(key).map { Unmanaged<Frame>.fromOpaque($0).takeUnretainedValue() }
    }
    set {
      // Not retained: the frame is held by whoever is inside it.
      pthread_setspecific(
        key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// A reducer that is assembled when its first action comes.
  @usableFromInline
  final class Later: Descent {
    private let assemble: () -> RawStep
    private var assembled: RawStep?

    @usableFromInline
    init(_ assemble: @escaping () -> RawStep) {
      self.assemble = assemble
      super.init(noting: Void.self, leavesAlways: false)
    }

    override func enter(_ run: inout DescentRun) {
      let step = assembled ?? Recursion.within(nil, assemble)
      assembled = step
      run.goOn(.passUnretained(step))
    }
  }
}

extension Reducer {
  /// Assembles what `build` builds of this reducer's body, which may contain the reducer again.
  @inlinable
  func assembled(_ build: @escaping () -> Assembly<State, Action>) -> Assembly<State, Action> {
    switch Recursion.place(of: self) {
    case .own(let frame):
      let assembly = Recursion.within(frame, build)
      guard let knot = frame.knot else { return assembly }
      knot.tie(assembly.run.raw)
      return .opaque(Assembly.Step(raw: RawStep(Loop(knot))))
    case .same(let frame):
      let knot = frame.knot ?? Knot()
      frame.knot = knot
      return .opaque(Assembly.Step(raw: RawStep(knot)))
    case .later:
      let later = Recursion.Later { assembled(build).run.raw }
      return .opaque(Assembly.Step(raw: RawStep(later)))
    }
  }
}
