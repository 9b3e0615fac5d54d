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
 * <p>docs/operations.md lists the states of a run and what a later run does in each. A failed or
 * killed run stays in its state. The {@link org.saevhadoop.mapreduce.publish.run.RunClaim} of a
 * later run finds it, and refuses while the lock is held, while an application has not ended, or if
 * the folder belongs to another user ({@link
 * org.saevhadoop.mapreduce.publish.run.LeftoverOwnership}) or another program.
 */
@NullMarked
package org.saevhadoop.mapreduce.publish.run;

import org.jspecify.annotations.NullMarked;
