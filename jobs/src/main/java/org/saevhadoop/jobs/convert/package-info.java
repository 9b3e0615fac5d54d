/**
 * Conversion of a dataset into another format.
 *
 * <p>{@link org.saevhadoop.jobs.convert.Conversion} is the verb that programs call. {@link
 * org.saevhadoop.jobs.convert.DatasetConversion} does the work once the source is known: it opens
 * the source, and lets the target's format prepare the output ({@code WritePreparation}). The
 * result is a value, the {@code PlannedConversion}. A dry run prints the {@code PlannedConversion}
 * after checking the claim on the destination ({@code PlannedClaim}); a run makes the claim, and
 * converts in the folder of a run ({@code ConversionRun}), which a later command can continue.
 *
 * <p>Datasets that are first made from the source, such as a staged stream ({@code StreamStage}) or
 * the rows of a shuffle, form a {@link org.saevhadoop.jobs.convert.Stage}; {@link
 * org.saevhadoop.jobs.convert.StagedConversion} makes and converts each of them. The parts of a
 * stage are named after their examples ({@link org.saevhadoop.jobs.convert.ExampleParts}), so a
 * later run finds the missing ones. {@code ListedSource} detects missing source files.
 *
 * <p>{@code ConvertPlan} chooses between the two plans of a conversion. In a map-only job, each
 * task reads the blocks of whole target files in file order; otherwise, the shuffle ({@code
 * BlockShuffle}) puts the blocks into that order. Both plans run as a {@code ConvertJob}. {@code
 * SpaceCheck} first checks whether the files fit in the free space.
 *
 * <p>The rules for the run, its folder and its publication are described in {@code
 * org.saevhadoop.format.publish}.
 */
@NullMarked
package org.saevhadoop.jobs.convert;

import org.jspecify.annotations.NullMarked;
