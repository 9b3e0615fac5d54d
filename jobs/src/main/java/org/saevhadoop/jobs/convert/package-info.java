/**
 * Conversion of a dataset into another format.
 *
 * <p>{@link org.saevhadoop.jobs.convert.Conversion} is the verb, as a program calls it. {@link
 * org.saevhadoop.jobs.convert.DatasetConversion} does the work once the source is known: it opens
 * the source, and lets the target's format prepare the output ({@code WritePreparation}). The
 * result is a value, the {@code PlannedConversion}. A dry run prints it after it has checked the
 * claim of the destination ({@code PlannedClaim}); a run makes the claim, and converts in the
 * folder of a run ({@code ConversionRun}), which a later command can continue.
 *
 * <p>Datasets that are first made from the source form a {@link org.saevhadoop.jobs.convert.Stage},
 * and {@link org.saevhadoop.jobs.convert.StagedConversion} makes them and converts each: a stream
 * ({@code StreamStage}), or the rows of a shuffle. The parts of a stage are named after their
 * examples ({@link org.saevhadoop.jobs.convert.ExampleParts}), so a later run finds the missing
 * ones. {@code ListedSource} finds files of the source that are missing.
 *
 * <p>{@code ConvertPlan} chooses between two plans. In a map-only job, each task reads the blocks
 * of whole target files in their order; otherwise blocks are brought into that order by the shuffle
 * ({@code BlockShuffle}). {@code ConvertJob} is the job of both plans. {@code SpaceCheck} compares
 * sizes with the free space first.
 *
 * <p>Rules of the run, its folder and its publication: {@code org.saevhadoop.format.publish}.
 */
@NullMarked
package org.saevhadoop.jobs.convert;

import org.jspecify.annotations.NullMarked;
