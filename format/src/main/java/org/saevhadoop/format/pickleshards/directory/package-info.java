/**
 * Directories of pickled shards and their {@code metadata.json}. Start with {@link
 * org.saevhadoop.format.pickleshards.directory.ShardFiles}, which lists the shards of a dataset in
 * natural order. {@link org.saevhadoop.format.pickleshards.directory.ActivationManifest} reads a
 * manifest, {@link org.saevhadoop.format.pickleshards.directory.ManifestCheck} compares it with the
 * shards, and {@link org.saevhadoop.format.pickleshards.directory.ManifestWriter} writes it.
 *
 * <p>Guarantees: listing does not open any files. A manifest is never trusted: file names outside
 * the directory are rejected, and every claim is compared with {@link
 * org.saevhadoop.format.pickleshards.directory.ShardFacts}. A mismatch is an error if a conversion
 * would lose or invent samples; otherwise, it is a warning. A manifest of 100,000 shards fits in a
 * small heap.
 *
 * <p>Sources: docs/pickle.md, which lists the rules of the specification and of the real writers.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickleshards.directory;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
