import AppCore

/// A parent with a worker under each operator.
struct Parent: Reducer {
  /// A worker of one kind or the other.
  enum Place: Equatable, Sendable {
    case desk(Desk)
    case seat(Seat)
    case none

    var count: Int {
      switch self {
      case .desk(let desk): desk.count
      case .seat(let seat): seat.count
      case .none: 0
      }
    }
  }

  enum PlaceAction: ComponentAction { case desk(Work), seat(Work), move(Place) }

  struct State: Equatable, Sendable {
    var optional: Desk? = Desk(name: "child")
    var optionalSeat: Seat?
    @Presented var presented: Desk? = Desk(name: "child")
    @Presented var presentedSeat: Seat?
    @Presented var sheet: Place?
    var rows: IdentifiedArray<Seat> = [Seat(name: "a"), Seat(name: "b")]
    var path: StackState<Desk> = [Desk(name: "a"), Desk(name: "b"), Desk(name: "c")]
    var place = Place.desk(Desk(name: "child"))
    /// The optional child's count, and the height of the stack, when the parent sees their actions.
    var seen: [Int?] = []
    var dismissals = 0

    /// What the workers have counted together.
    var total: Int {
      let optionals = [
        optional?.count, optionalSeat?.count, presented?.count, presentedSeat?.count, sheet?.count,
      ]
      return (optionals.compactMap(\.self) + rows.map(\.count) + path.map(\.count))
        .reduce(place.count, +)
    }
  }

  enum Action: ComponentAction {
    case optional(Work)
    case optionalSeat(Work)
    case presented(PresentationAction<Work>)
    case presentedSeat(PresentationAction<Work>)
    case sheet(PresentationAction<PlaceAction>)
    case rows(IdentifiedAction<String, Work>)
    case path(StackAction<Desk, Work>)
    case place(PlaceAction)
    case change(@Sendable (inout State) -> Void)
    case begin
    case leave
  }

  let log: Log
  let gate: Gate

  init(_ log: Log, gate: Gate = Gate()) { (self.log, self.gate) = (log, gate) }

  private var door: some Reducer<Place, PlaceAction> {
    Reduce<Place, PlaceAction> { place, action in
      if case .move(let next) = action { place = next }
      return .none
    }
    .ifCaseLet(
      /Place.desk, action: /PlaceAction.desk, child: { Worker(log, gate: gate) },
      fileID: "Door.swift", line: 5
    )
    .ifCaseLet(/Place.seat, action: /PlaceAction.seat) { Worker(log, gate: gate) }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.place, action: /Action.place) { door }
    Reduce { state, action in
      switch action {
      case .optional: state.seen.append(state.optional?.count)
      case .path: state.seen.append(state.path.count)
      case .presented(.dismiss): state.dismissals += 1
      case .change(let change): change(&state)
      case .begin: return endless("parent", log)
      case .leave:
        @Dependency(\.dismiss) var dismiss
        return .run { _ in await dismiss() }
      default: break
      }
      return .none
    }
    .ifLet(
      \.optional, action: /Action.optional, child: { Worker(log, gate: gate) },
      fileID: "Parent.swift", line: 1
    )
    .ifLet(\.optionalSeat, action: /Action.optionalSeat) { Worker(log, gate: gate) }
    .ifLet(
      \.$presented, action: /Action.presented, child: { Worker(log, gate: gate) },
      fileID: "Parent.swift", line: 2
    )
    .ifLet(\.$presentedSeat, action: /Action.presentedSeat) { Worker(log, gate: gate) }
    .ifLet(\.$sheet, action: /Action.sheet) { door }
    .forEach(
      \.rows, action: /Action.rows, element: { Worker(log, gate: gate) },
      fileID: "Parent.swift", line: 3
    )
    .forEach(
      \.path, action: /Action.path, element: { Worker(log, gate: gate) },
      fileID: "Parent.swift", line: 4)
  }
}
