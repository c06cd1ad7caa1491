import EventLines
import Observations
import Search

/// What the supervisor and a worker say to each other over the worker's standard input and output.
///
/// The worker's part: after the `configuration`, which is the first message it gets, it sends its events in order and a heartbeat
/// at least once a second. At `stop` it sends `completed` with that reason for each live track and exits with status 0. When its
/// input ends, the supervisor is gone, and so is the worker.
package enum WorkerMessage: Sendable, Equatable {
    /// Worker to supervisor.
    case event(EncodedEvent)
    /// Worker to supervisor.
    case heartbeat(WorkerHeartbeat)
    /// Supervisor to worker, once.
    case configuration(WorkerConfiguration)
    /// Supervisor to worker.
    case stop(CompletionReason)
    /// Supervisor to worker.
    case focus(WorkerFocus)
    /// Supervisor to worker: a pipeline file's text that a running worker can go on with.
    case takeOver(String)
    /// Supervisor to worker.
    case snapshot(WorkerSnapshot)
    /// Supervisor to worker.
    case search(SearchCommand)
    /// Supervisor to worker: whether each frame that a detector has processed is to be told; not until this says so.
    case frames(Bool)
    /// Worker to supervisor, once for each `snapshot`.
    case snapshotDone(WorkerSnapshotResult)

    /// The byte that names the message in its frame's header.
    enum Tag: UInt8 {
        case event = 1
        case heartbeat
        case snapshotDone
        /// An event with its stages.
        case timedEvent
        case configuration = 16
        case stop
        case focus
        case takeOver
        case snapshot
        case search = 24
        case frames
    }
}

/// What a worker has done since it started: totals, so that a lost heartbeat loses nothing.
package struct WorkerHeartbeat: Sendable, Equatable {
    package struct Lane: Sendable, Equatable {
        package var detector: String
        /// Frames that the detector looked at; `failed` among them.
        package var processed: UInt64
        /// Frames that a newer one replaced before the detector was free.
        package var dropped: UInt64
        /// Frames that `max_rate` left out.
        package var skipped: UInt64
        /// Frames that the detector failed on.
        package var failed: UInt64
        /// Detections that a limit of the tracker kept out.
        package var refused: UInt64
        /// Tracks that ended because a new one needed their place.
        package var evicted: UInt64
        /// Faces that `min_size` kept out of a picture without others; 0: none were seen.
        package var smallFaces: UInt64
        /// The `min_size` that shows them, in thousandths; 0 with none.
        package var smallFacesMinSize: UInt64
        /// For how long the detector has been at the frame that it has now, in milliseconds; 0 when it has none.
        package var busyMilliseconds: UInt64
        /// How long the newest frames waited for the detector.
        package var wait: Latency
        /// How long they took from the hand-over to the end of the lane's work, the wait included.
        package var total: Latency

        package init(
            detector: String, processed: UInt64, dropped: UInt64, skipped: UInt64 = 0, failed: UInt64 = 0,
            refused: UInt64 = 0, evicted: UInt64 = 0, smallFaces: UInt64 = 0, smallFacesMinSize: UInt64 = 0,
            busyMilliseconds: UInt64 = 0, wait: Latency = Latency(), total: Latency = Latency()
        ) {
            self.detector = detector
            self.processed = processed
            self.dropped = dropped
            self.skipped = skipped
            self.failed = failed
            self.refused = refused
            self.evicted = evicted
            self.smallFaces = smallFaces
            self.smallFacesMinSize = smallFacesMinSize
            self.busyMilliseconds = busyMilliseconds
            self.wait = wait
            self.total = total
        }
    }

    /// What became of pictures: those of tracks and of searches.
    package struct Pictures: Sendable, Equatable {
        /// Asked for, and not yet encoded.
        package var waiting: UInt64
        package var written: UInt64
        /// Found no room in the queue.
        package var refused: UInt64
        /// No encoder, no disk.
        package var failed: UInt64
        /// That `max_age`, `max_count`, `max_bytes` or nobody's acceptance took away.
        package var deleted: UInt64

        package init(
            waiting: UInt64 = 0, written: UInt64 = 0, refused: UInt64 = 0, failed: UInt64 = 0, deleted: UInt64 = 0
        ) {
            self.waiting = waiting
            self.written = written
            self.refused = refused
            self.failed = failed
            self.deleted = deleted
        }
    }

    /// Microseconds; of the newest frames.
    package struct Latency: Sendable, Equatable {
        package var median: UInt64
        package var percentile95: UInt64
        package var longest: UInt64

        package init(median: UInt64 = 0, percentile95: UInt64 = 0, longest: UInt64 = 0) {
            self.median = median
            self.percentile95 = percentile95
            self.longest = longest
        }
    }

    /// Frames that the source gave.
    package var received: UInt64
    /// For how long the source has not come back, in milliseconds.
    package var sourceMilliseconds: UInt64
    package var lanes: [Lane]
    /// nil: the pipeline keeps none.
    package var pictures: Pictures?

    package init(
        received: UInt64, sourceMilliseconds: UInt64 = 0, lanes: [Lane] = [], pictures: Pictures? = nil
    ) {
        self.received = received
        self.sourceMilliseconds = sourceMilliseconds
        self.lanes = lanes
        self.pictures = pictures
    }
}

/// Which track of a detector is to be reported alone.
package struct WorkerFocus: Sendable, Equatable {
    package var detector: String
    /// nil: what the pipeline's file says.
    package var track: UInt64?

    package init(detector: String, track: UInt64?) {
        self.detector = detector
        self.track = track
    }
}

/// A picture of the next frame that is wanted.
package struct WorkerSnapshot: Sendable, Equatable {
    /// Names the request in its result.
    package var number: UInt64
    /// Where the JPEG file is to be. The folder is there.
    package var path: String
    /// Whether the pipeline's name and the time are burnt in.
    package var isCaptioned: Bool

    package init(number: UInt64, path: String, isCaptioned: Bool = false) {
        self.number = number
        self.path = path
        self.isCaptioned = isCaptioned
    }
}

/// What became of a snapshot.
package struct WorkerSnapshotResult: Sendable, Equatable {
    package var number: UInt64
    /// nil: the whole file is there.
    package var error: String?

    package init(number: UInt64, error: String?) {
        self.number = number
        self.error = error
    }
}

/// What a worker needs to start.
package struct WorkerConfiguration: Sendable, Equatable {
    /// Counts the starts of this pipeline's worker in this run, from 1; goes into every frame of events.
    package var epoch: UInt64
    /// No track of this worker may have a lower id, so that an id is never used again in a run.
    package var firstTrack: UInt64
    /// The pipeline file's name, for messages and as the default of the pipeline's name.
    package var file: String
    /// The pipeline file's text: what the supervisor has checked, whatever became of the file since.
    package var text: String
    package var modelsDirectory: String
    /// Where the newest frames are kept for whoever comes after a crash; empty: nowhere.
    package var crashFile: String
    /// Whether it gives up what it does not need before it opens its source.
    package var isRestricted: Bool
    /// The pipeline's own folder of pictures; the one above it is there. Empty: none are kept.
    package var picturesFolder: String
    /// Whether a frame may be encoded at all.
    package var allowsPictures: Bool
    /// Folders, which are there, in which it may make files although it is restricted.
    package var writable: [String]

    package init(
        epoch: UInt64, firstTrack: UInt64, file: String, text: String, modelsDirectory: String,
        crashFile: String = "", isRestricted: Bool = false, picturesFolder: String = "", allowsPictures: Bool = true,
        writable: [String] = []
    ) {
        self.isRestricted = isRestricted
        self.writable = writable
        self.crashFile = crashFile
        self.picturesFolder = picturesFolder
        self.allowsPictures = allowsPictures
        self.epoch = epoch
        self.firstTrack = firstTrack
        self.file = file
        self.text = text
        self.modelsDirectory = modelsDirectory
    }
}
