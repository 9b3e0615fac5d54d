/**
 * The dataset that a command reads. The class to begin with is {@link
 * org.saevhadoop.converters.source.SourceCommand}, the base of commands that only read, or {@link
 * org.saevhadoop.converters.source.SourceRequest} for other commands.
 *
 * <p>A {@link org.saevhadoop.converters.source.SourceRequest} is the dataset before it is opened:
 * its location, its format, which is detected from the files unless the user names it, and the
 * input that options and configuration define. An {@link
 * org.saevhadoop.converters.source.OpenedSource} is the open dataset, with the projection applied.
 *
 * <p>An open source can always be read at any offset. A dataset whose files are streams is first
 * staged by a job, in a folder that is deleted when the source is closed or the process exits.
 *
 * <p>Options that have no effect with the format of the source cause a warning.
 */
package org.saevhadoop.converters.source;
