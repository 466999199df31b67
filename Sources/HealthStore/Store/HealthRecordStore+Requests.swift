extension HealthRecordStore {
  /// Asks the user for permissions.
  ///
  /// The sheet lists only what is undetermined; when nothing is, none is shown. HealthKit:
  /// `requestAuthorization(toShare:read:)`.
  ///
  /// - Throws: `invalidArgument` for an empty request, a correlation, a type that apps may not
  ///   write, or a client that does not say why it asks.
  public mutating func requestAuthorization(
    toShare share: [ObjectType], read: [ObjectType], as client: ClientID
  ) throws(HealthStoreError) -> AuthorizationRequestOutcome {
    try sheets.request(toShare: share, read: read, as: client, in: contents.registry)
  }

  /// The sheet that the user sees now; nothing when none can be shown.
  public var visibleSheet: AuthorizationSheet? {
    sheets.visible(in: contents.registry)
  }

  /// Takes the user's answer to a sheet: what is not ticked is denied.
  ///
  /// Returns `true`: the request was processed, even when everything was denied.
  ///
  /// HealthKit: what the completion of `requestAuthorization(toShare:read:)` is called with.
  @discardableResult
  public mutating func answer(
    _ sheet: AuthorizationSheet, share: [ObjectType], read: [ObjectType]
  ) throws(HealthStoreError) -> Bool {
    try contents.commit(
      sheets.answer(sheet, share: share, read: read, in: contents.registry))
    return true
  }

  /// Takes note that the user left a sheet without an answer.
  ///
  /// HealthKit: `HKError.errorUserCanceled`.
  public mutating func dismiss(_ sheet: AuthorizationSheet) throws(HealthStoreError) {
    sheets.dismiss(sheet)
    throw .userCanceled
  }
}
