/// An effect with the actions of `R`, as in `func load() -> EffectOf<Self>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

/// The actions of the elements of a collection, as in `case rows(IdentifiedActionOf<Row>)`.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable

/// The actions of a stack, as in `case path(StackActionOf<Page>)`.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>
where R.State: Sendable
