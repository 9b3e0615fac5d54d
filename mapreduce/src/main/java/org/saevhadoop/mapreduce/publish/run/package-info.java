/**
 * A run: the folder in which a conversion works, beside the path of its dataset. Start with {@link
 * org.saevhadoop.mapreduce.publish.run.RunFolder}.
 *
 * <p>The folder, {@code _<name>.saev-hadoop}, contains
 *
 * <ul>
 *   <li>{@code run.json}, a {@link org.saevhadoop.mapreduce.publish.run.RunRecord}: the mark by
 *       which the folder is recognized, who runs, and the settings of the run
 *   <li>{@code lock}, held while the client lives
 *   <li>{@code application_<n>.json}, one for each {@link
 *       org.saevhadoop.mapreduce.publish.run.SubmittedJob} on YARN, which may outlive the client
 *   <li>{@code work}, a folder for each attempt of a task
 *   <li>{@code data}, the files of committed tasks, and finally the dataset
 *   <li>{@code complete}, from the time at which the dataset is whole
 *   <li>{@code replaced}, the older dataset, from the time at which it is moved away until the new
 *       one is at its path; {@code replaced.json} lists its files where they are moved one by one
 * </ul>
 *
 * <p>{@link org.saevhadoop.mapreduce.publish.run.RunOutput} is where tasks write: {@code data}, or
 * the path itself on a storage without folders, under an unfinished marker ({@link
 * org.saevhadoop.mapreduce.publish.run.DirectOutput}). {@link
 * org.saevhadoop.mapreduce.publish.run.Replacement} replaces an older dataset, or undoes that.
 *
 * <pre>
 *   state        in the folder                        a later run (lock free, no live application)
 *   -----        -------------                        --------------------------------------------
 *   claimed      lock                                 takes the folder
 *      | run.json is written
 *   working      run.json, lock, work                 removes it
 *      | a task is committed; directly: the marker is at the path
 *   partial      + data                               --resume: continues; else removes it
 *      | the job is committed
 *   complete     + complete                           --resume: publishes; else removes it
 *      | the older dataset is moved away
 *   replacing    + replaced                           puts the older dataset back; then as complete
 *      | the dataset is at its path (directly: the marker is deleted)
 *   published    - data                               removes it
 *      | the folder is deleted, run.json last
 *   ended        no folder
 * </pre>
 *
 * <p>A failed or killed run stays in its state. The {@link
 * org.saevhadoop.mapreduce.publish.run.RunClaim} of a later run finds it, and refuses while the
 * lock is held, while an application has not ended, or if the folder belongs to another user
 * ({@link org.saevhadoop.mapreduce.publish.run.LeftoverOwnership}) or another program. A run is
 * continued if source and settings are the same. Neither age nor process ids play a part.
 */
@NullMarked
package org.saevhadoop.mapreduce.publish.run;

import org.jspecify.annotations.NullMarked;
