// Collection views of scripts.
import "./view.js";
