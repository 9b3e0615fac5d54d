/**
 * SameDiff containers as a dataset format. The class to begin with is {@link
 * org.saevhadoop.mapreduce.samediff.SameDiffFormat}; {@link
 * org.saevhadoop.mapreduce.samediff.SameDiffKeys} has the writing keys. The only reading key,
 * {@link org.saevhadoop.mapreduce.job.TensorKeys#TENSORS}, belongs to several formats.
 *
 * <p>This package maps the format to settings, provenance and reports; containers are read and
 * written by {@code org.saevhadoop.format.samediff}.
 *
 * <ul>
 *   <li>A location is a folder with one container, an SDNB file, any shard of several, or an SDZ
 *       file. Any container can be inspected, and single arrays of it read; those whose arrays are
 *       examples can be converted.
 *   <li>An SDZ file with deflated entries is a stream: a part is an entry, and staging inflates it.
 *       Other containers are read in place. {@code isNeeded} examines the files at a location.
 *   <li>Values are written in their stored types. Types that SameDiff lacks are refused before the
 *       job, as are files that the real loaders would refuse.
 *   <li>A check covers each file, the files together, the CRC-32 of SDZ entries and the sample
 *       metadata. Arrays that are not examples, as in most models, are not a problem.
 * </ul>
 *
 * <p>docs/samediff.md has the rules of the format and their sources.
 */
@NullMarked
package org.saevhadoop.mapreduce.samediff;

import org.jspecify.annotations.NullMarked;
