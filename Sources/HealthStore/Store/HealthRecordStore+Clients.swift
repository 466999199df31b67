extension HealthRecordStore {
  /// Makes a client known, or takes over what a known one now declares.
  ///
  /// The authorization is what the user allows for the types, all of them unless some are named;
  /// without one the client has to ask. Returns the number under which the client calls.
  ///
  /// HealthKit: what the system does when an app is installed and launched.
  @discardableResult
  public mutating func register(
    _ client: HealthClient, granting authorization: Authorization? = nil,
    for types: [ObjectType] = ObjectType.allCases
  ) throws(HealthStoreError) -> ClientID {
    let (number, changes) = contents.registry.changes(
      registering: client, granting: authorization, for: types)
    try contents.commit(changes)
    return ClientID(number: number)
  }

  /// Sets what a client's family may do with types, as the user does in the health app.
  ///
  /// HealthKit has no call for it: the user does it in the health app.
  public mutating func setAuthorization(
    _ authorization: Authorization, of client: ClientID, for types: [ObjectType]
  ) throws(HealthStoreError) {
    let family = try contents.registry.checkedClient(client).family
    try contents.commit(types.map { .authorization(family: family, $0, authorization) })
  }

  /// Changes how the device is set up.
  public mutating func changeSettings(
    _ change: (inout StoreSettings) -> Void
  ) throws(HealthStoreError) {
    var settings = contents.registry.settings
    change(&settings)
    try contents.commit([.settings(settings)])
  }

  /// Removes a client from the device: its permissions are undetermined again, the documents it was
  /// granted too, and its samples stay.
  ///
  /// HealthKit: what the system does when the user deletes an app.
  public mutating func uninstall(_ client: ClientID) throws(HealthStoreError) {
    let family = try contents.registry.checkedClient(client).family
    let changes = contents.registry.changes(uninstalling: client, of: family)
    relaunch(client)
    sheets.removeAll(of: client)
    try contents.commit(changes)
  }
}
