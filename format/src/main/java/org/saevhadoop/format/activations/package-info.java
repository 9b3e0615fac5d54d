/**
 * Directories of pickled activations: their shards, and the {@code metadata.json} that the
 * specification and the real writers put beside them. docs/pickle.md has the rules.
 */
package org.saevhadoop.format.activations;
