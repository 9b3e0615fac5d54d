/**
 * The command {@code convert}. The class to begin with is {@link
 * org.saevhadoop.converters.convert.ConvertCommand}, which checks options and keys.
 *
 * <ul>
 *   <li>{@code DatasetConversion} determines the conversion before there is a job: it opens the
 *       source, lets the target format prepare the output, and rejects what cannot be converted.
 *   <li>{@code DatasetDestination} claims the path at which the dataset is published, see {@link
 *       org.saevhadoop.mapreduce.publish}, and {@code SpaceCheck} compares the size of the data
 *       files with the free space.
 *   <li>{@code ConvertPlan} decides whether blocks must be shuffled. A map-only job is preferred:
 *       each task reads the examples of whole target files in their order.
 *   <li>{@code ConvertJob} sets up the job, and {@code BlockShuffle} is its map and reduce side if
 *       blocks are shuffled.
 * </ul>
 *
 * <p>A failed conversion leaves the destination as it was. If the result of the job is unknown, the
 * files are kept.
 */
package org.saevhadoop.converters.convert;
