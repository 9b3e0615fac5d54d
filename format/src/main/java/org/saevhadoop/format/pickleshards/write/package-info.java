/**
 * New datasets of pickled shards. Start with {@link
 * org.saevhadoop.format.pickleshards.write.PickleWritePlan}, whose {@code write} method returns the
 * sinks of the shards and the finisher that writes {@code metadata.json}.
 *
 * <p>Examples that were read from pickled shards regain their original keys, values, shapes and
 * dtypes from their metadata; other examples get the standard keys and a {@link
 * org.saevhadoop.format.pickleshards.write.SampleOrigin}.
 *
 * <p>Guarantees: memory use does not depend on the number of examples. Restoring an original dtype
 * is lossless or fails. {@code metadata.json} is written last, from facts that were collected while
 * the shards were written.
 *
 * <p>Sources: docs/pickle.md, which lists the rules of the specification and of the real writers.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickleshards.write;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
