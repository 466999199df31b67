import Arguments

/// Groups the commands on a health store's file.
struct StoreCommand: Command {
  static let name = "store"
  static let abstract = "Look into a health store's file, and change it as the user may."
  static let discussion = """
    A run writes its health store as an SQLite file. These commands play the part of the health \
    app: they see every sample of every source.
    """
  static let subcommands: [any Command.Type] = [
    StoreTypesCommand.self, StoreSamplesCommand.self, StoreStatisticsCommand.self,
    StoreTimelineCommand.self, StoreSourcesCommand.self, StoreAuthorizeCommand.self,
    StoreAddCommand.self, StoreDeleteCommand.self, StoreVerifyCommand.self,
    StoreMigrateCommand.self, StoreUploadCommand.self, StoreImportCommand.self,
    StoreExportCommand.self, StoreRestoreCommand.self, StoreUnitCommand.self,
    StorePriorityCommand.self, StoreActivityCommand.self,
    StorePersonCommand.self,
  ]
}
