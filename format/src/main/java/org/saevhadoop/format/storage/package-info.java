/**
 * Paths of a storage, and the operations that a run needs. A {@link
 * org.saevhadoop.format.storage.StoragePath} is read by all verbs; {@link
 * org.saevhadoop.format.storage.RunStorage} has the operations on which publication depends. This
 * package implements both for the local disk; {@code HadoopPath} and {@code HadoopRunStorage} of
 * the module {@code mapreduce} do for all other storages.
 *
 * <p>The two kinds of storages differ in what they guarantee:
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
 * <p>A {@link org.saevhadoop.format.storage.RunLock} ends with its process: at once on the local
 * disk, elsewhere when it has not been renewed for {@code saev.convert.lock.timeout}. A holder that
 * was stopped for longer finds out by {@code isCurrent}.
 *
 * <p>Symbolic links are never followed, and missing parent folders are never created.
 */
@Internal
@NullMarked
package org.saevhadoop.format.storage;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
