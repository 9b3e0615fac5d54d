/**
 * Streams become datasets that can be read at any position. {@link
 * org.saevhadoop.mapreduce.staging.StreamStaging} runs a job in which each task reads one part of a
 * dataset, once, and leaves its blocks in a folder; {@link
 * org.saevhadoop.mapreduce.staging.StagedInputFormat} reads them from there. If examples are
 * selected by their numbers, a job that catalogues all parts comes first, and only parts that hold
 * selected examples are read again. Both classes know formats only through {@link
 * org.saevhadoop.mapreduce.spi.StreamAccess}.
 */
package org.saevhadoop.mapreduce.staging;
