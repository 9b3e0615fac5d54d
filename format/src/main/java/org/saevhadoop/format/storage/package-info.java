/**
 * Paths in a storage, and the operations that a run needs. All verbs read through a {@link
 * org.saevhadoop.format.storage.StoragePath}; {@link org.saevhadoop.format.storage.RunStorage} has
 * the operations on which publication depends. This package implements both for the local disk;
 * {@code HadoopPath} and {@code HadoopRunStorage} of the module {@code mapreduce} implement them
 * for all other storages.
 *
 * <p>Storages differ in their guarantees:
 *
 * <pre>
 *                 local disk                 HDFS                    object store (S3A)
 *   folders       yes                        yes                     no: prefixes of names
 *   rename        atomic, never overwrites   atomic, never           a copy of each file
 *                                            overwrites
 *   small file    written beside, forced,    written beside,         appears whole
 *                 renamed                    renamed
 *   owners        POSIX                      yes                     none
 *   lock          of the operating system    renewed every 15 s      renewed every 15 s
 * </pre>
 *
 * <p>A {@link org.saevhadoop.format.storage.RunLock} is released when its process ends: on the
 * local disk immediately, elsewhere after it has not been renewed for {@code
 * saev.convert.lock.timeout}. A process that was suspended for longer than that can check with
 * {@code isCurrent} whether it still holds the lock.
 */
@Internal
@NullMarked
package org.saevhadoop.format.storage;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
