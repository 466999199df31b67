import Arguments
import FoundationEssentials
import StructuredText
import Studies

/// Writes a job file for a scheduler.
struct StudyScriptCommand: Command {
  enum Engine: String, CaseIterable, ArgumentValue {
    case slurm, snakemake, parallel, aws, kubernetes

    /// Whether its job file says how long a shard may take.
    var limitsTime: Bool { self != .parallel && self != .kubernetes }
  }

  static let name = "script"
  static let abstract = "Print a job file that carries a study out on other machines."
  static let discussion = """
    The folder of the study must be visible to every machine at the same path. Which shards are \
    there is told by their files, never by the scheduler: `study status DIR --format list` says \
    which to submit again.
    """

  var folder = ""
  var engine = Engine.slurm
  var minutes: Int?
  var programs = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.option("engine", \.engine, help: "The scheduler.")
    it.option(
      "minutes", \.minutes,
      help: "The most minutes that a shard may take, of slurm, snakemake and aws; 30 unless given.")
    ProgramOptions.describeFolder(&it, at: \.programs)
  }

  func validate() throws {
    guard let minutes else { return }
    guard (1...100_000).contains(minutes) else {
      throw Failure(.usage, "The minutes of a shard must be from 1 to 100000.")
    }
    guard engine.limitsTime else {
      throw ValidationError(
        "The job file of \(engine.rawValue) has no limit of time: leave out --minutes.")
    }
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    try StudyPrograms.check(programs, for: planned.study.plan)
    let script = StudyScript(
      folder: URL(fileURLWithPath: folder).path, id: planned.study.plan.id,
      shards: planned.shards, minutes: minutes ?? 30,
      programs: planned.study.plan.programs.isEmpty
        ? nil : URL(fileURLWithPath: programs.isEmpty ? "." : programs).path)
    try Self.refuseControls(in: [script.folder] + (script.programs.map { [$0] } ?? []))
    console.write(script.text(for: engine), to: .output)
  }

  /// Refuses paths with control characters: a line break would end a remark of the job file, and
  /// what comes after it would be carried out.
  private static func refuseControls(in paths: [String]) throws(Failure) {
    for path in paths where path.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      throw Failure(
        .badInput,
        "\(ShellWord.quoted(path)) has a line break or another control character, which no job "
          + "file can hold. Rename the folder.")
    }
  }
}

/// Job files for schedulers.
struct StudyScript {
  let folder: String
  let id: String
  let shards: Int
  let minutes: Int
  /// The folder from which programs are started; `nil` where the study has none.
  var programs: String?

  /// The words after `study run`: by submitting the script somebody allows the study's programs.
  private var consent: String {
    programs.map { " --allow-programs --programs \(Self.word($0))" } ?? ""
  }

  func text(for engine: StudyScriptCommand.Engine) -> String {
    switch engine {
    case .slurm: slurm
    case .snakemake: snakemake
    case .parallel: parallel
    case .aws: aws
    case .kubernetes: kubernetes
    }
  }

  /// The folder as a word of a shell.
  private var quoted: String { Self.word(folder) }

  private static func word(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private var slurm: String {
    """
    #!/bin/bash
    # Submit:    sbatch --array=0-\(shards - 1)%50 study.sbatch
    # Resubmit:  sbatch --array=$(loopsim study status \(quoted) --format list) study.sbatch
    # until that list is empty; then:  loopsim study merge \(quoted)
    #SBATCH --job-name=\(id)
    #SBATCH --time=\(minutes)
    #SBATCH --cpus-per-task=1 --mem-per-cpu=500M
    #SBATCH --open-mode=append --signal=B:USR1@70
    # The number of shards comes from the plan: SLURM_ARRAY_TASK_COUNT is 1 when one is resubmitted.
    exec "${LOOPSIM:-loopsim}" study run \(quoted) --shard "$SLURM_ARRAY_TASK_ID/\(shards)" \
    --jobs 1\(consent)

    """
  }

  private var snakemake: String {
    """
    # Run:  snakemake --snakefile Snakefile --cores 4 --retries 2
    # Only manifests are outputs: Snakemake deletes declared outputs after a failure.
    import os
    N = \(shards)
    D = \(Self.python(folder))
    LOOPSIM = os.environ.get("LOOPSIM", "loopsim")

    rule merge:
        input: expand(D + "/shards/{i:05d}-of-{n:05d}.manifest.json", i=range(N), n=N)
        output: D + "/results.manifest.json"
        params: dir=D, tool=LOOPSIM
        shell: "{params.tool:q} study merge {params.dir:q}"

    rule shard:
        output: D + "/shards/{i}-of-{n}.manifest.json"
        params: i=lambda w: int(w.i), n=lambda w: int(w.n), dir=D, tool=LOOPSIM\
    \(programs.map { ", programs=\(Self.python($0))" } ?? "")
        threads: 1
        resources: mem_mb=500, runtime=\(minutes)
        shell: "{params.tool:q} study run {params.dir:q} --shard {params.i}/{params.n} --jobs 1\
    \(programs == nil ? "" : " --allow-programs --programs {params.programs:q}")"

    """
  }

  private static func python(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private var parallel: String {
    """
    #!/bin/bash
    # GNU parallel; with -S host1,host2 over ssh where the folder is shared.
    set -euo pipefail
    tool=${LOOPSIM:-loopsim}
    study=\(quoted)
    shards() {
      { "$tool" study status "$study" --format list || true; } |
        tr , '\\n' |
        awk -F- '{for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i}'
    }
    # --quote: the words go through another shell.
    shards | parallel --quote --retries 2 "$tool" study run "$study" --shard {}/\(shards) \
    --jobs 1\(consent)
    "$tool" study merge "$study"

    """
  }

  private var aws: String {
    """
    #!/bin/bash
    # AWS Batch array job. An array has 2 to 10,000 tasks; when one shard is missing, a plain job
    # runs:  loopsim study run DIR --shard I/\(shards)\(consent)
    set -euo pipefail
    tool=${LOOPSIM:-loopsim}
    study=\(quoted)
    if [ -n "${AWS_BATCH_JOB_ARRAY_INDEX:-}" ]; then
      exec "$tool" study run "$study" --task "$AWS_BATCH_JOB_ARRAY_INDEX" \\
        --from "$study/missing.txt" --jobs 1\(consent)
    fi
    # On the machine that submits:
    { "$tool" study status "$study" --format list || true; } |
      tr , '\\n' |
      awk -F- '{for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i}' >"$study/missing.txt"
    count=$(wc -l <"$study/missing.txt")
    aws batch submit-job --job-name \(id) --job-queue "${QUEUE:?a job queue}" \\
      --job-definition "${DEFINITION:?a job definition that runs this script}" \\
      --array-properties "size=$count" --retry-strategy 'attempts=3' \\
      --timeout "attemptDurationSeconds=\(minutes * 60)"

    """
  }

  private var kubernetes: String {
    """
    # kubectl apply -f job.yaml; the folder is a volume that all pods share.
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: \(id)
    spec:
      completionMode: Indexed
      completions: \(shards)
      parallelism: \(min(shards, 100))
      backoffLimitPerIndex: 3
      maxFailedIndexes: \(shards)
      podFailurePolicy:
        rules:
          - action: FailIndex
            onExitCodes:
              containerName: loopsim
              operator: In
              values: [64, 65, 70]
      template:
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 30
          containers:
            - name: loopsim
              image: loopsim
              command: ["/bin/sh", "-c"]
              args:
                - >-
                  exec loopsim study run "$STUDY"
                  --shard "$JOB_COMPLETION_INDEX/\(shards)" --jobs 1\(consent)
              env:
                - name: STUDY
                  value: \(Self.python(folder))
              resources:
                requests: {cpu: "1", memory: 500Mi}
              volumeMounts:
                - {name: study, mountPath: \(Self.python(folder))}
          volumes:
            - name: study
              persistentVolumeClaim: {claimName: study}

    """
  }
}
