// Runs in contexts that are recorded or replayed.
import "./recording.js";
