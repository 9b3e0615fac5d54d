/**
 * A run: the folder in which a conversion works or unpacks a stream, next to the path to which it
 * writes. Start with {@link org.saevhadoop.format.publish.run.RunFolder}.
 *
 * <p>The folder, {@code _<name>.saev-hadoop}, contains
 *
 * <ul>
 *   <li>{@code run.json}, a {@link org.saevhadoop.format.publish.run.RunRecord}: the mark by which
 *       the folder is recognized, the user, and the settings of the run. The record has a version;
 *       a record with a later version is rejected
 *   <li>{@code lock}, held while the client lives
 *   <li>{@code application_<n>.json}, one for each {@link
 *       org.saevhadoop.format.publish.run.SubmittedJob} on YARN, which may outlive the client
 *   <li>{@code work}, a folder for each attempt of a task
 *   <li>{@code data}, the files of committed tasks, and finally the dataset
 *   <li>{@code complete}, which exists from the time at which the dataset is complete
 *   <li>{@code replaced}, the older dataset, from the time at which it is moved away until the
 *       folder is removed; {@code replaced.json} lists the files of the older dataset if they are
 *       moved one by one
 * </ul>
 *
 * <p>{@link org.saevhadoop.format.publish.run.RunOutput} is the folder in which tasks write: {@code
 * data}, or, on a storage without folders and if nothing is replaced, the path itself under an
 * unfinished marker ({@link org.saevhadoop.format.publish.run.DirectOutput}, "direct" below).
 * {@link org.saevhadoop.format.publish.run.Replacement} replaces or restores an older dataset.
 *
 * <pre>
 *   state        in the folder                        a later run (lock free, no live application)
 *   -----        -------------                        --------------------------------------------
 *   claimed      lock                                 takes the folder
 *      | run.json is written
 *   working      run.json, lock                       --resume: takes it over; else removes it
 *      | a task is committed; direct: the marker is at the path
 *   partial      + data                               --resume: continues (direct: writes all
 *      |                                              files again); else removes it
 *      | the job is committed
 *   complete     + complete                           --resume: publishes; else removes it
 *      | the older dataset is moved away
 *   replacing    + replaced                           puts the older dataset back; then as complete
 *      | the dataset is at its path (direct: the marker is deleted)
 *   published    - data                               --resume: completes the publication; else
 *      |                                              removes the folder
 *      | the folder is deleted: run.json, then lock
 *   ended        no folder
 * </pre>
 *
 * <p>A run that fails, or is ended by SIGINT or SIGTERM, closes its folder: a replacement is
 * undone, and the folder is removed unless a later run can use complete files. After SIGKILL or a
 * power failure, or while a job on YARN has not ended, the folder is left unchanged.
 *
 * <p>The {@code RunClaim} of a later run finds the folder, and refuses to use it while the lock is
 * held, while an application has not ended, or if the folder belongs to another user ({@code
 * LeftoverOwnership}) or another program. A run is continued if its settings, its source, and the
 * names, sizes and times of the source's files are unchanged; otherwise {@code --resume} is
 * refused. Process ids are not used. On HDFS and object stores, a lock that is not renewed expires
 * after {@code saev.convert.lock.timeout} ({@link org.saevhadoop.format.storage}).
 *
 * <p>States are not recorded; they are derived from the files that exist. To add a state, name its
 * file in {@link org.saevhadoop.format.publish.run.RunPaths} (and, for a folder, also in {@code
 * FOLDERS}) and handle it in {@code RunClaim}, {@code RunFolder.end} and {@code RunFiles.delete} in
 * such a way that each can be repeated after a kill. {@code it/moments} stops conversions before
 * each of these steps.
 */
@Internal
@NullMarked
package org.saevhadoop.format.publish.run;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
