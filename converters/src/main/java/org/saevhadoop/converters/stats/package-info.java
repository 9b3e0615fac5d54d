/**
 * {@code stats}: statistics of activations as text, as JSON, as files, and as a page with charts.
 *
 * <p>{@link org.saevhadoop.converters.stats.StatsCommand} runs {@link
 * org.saevhadoop.jobs.stats.Statistics}. The result is printed by {@code StatsText} or {@code
 * StatsJson}, and {@code StatsFiles} writes it to the files that the user names.
 *
 * <p>{@code StatsPage} is the page of {@code --report}. It is one HTML file that needs neither a
 * network nor a script, as its Content-Security-Policy states; it is also XML, so that any XML
 * parser can read it. {@code StatsCharts} has the points of each chart, and {@code LineChart} draws
 * them as SVG, with a table of the same points. Colors are variables in {@code stats.css}, with
 * values for light, dark and printed pages. Four colors can be told apart with any color vision; a
 * fifth to eighth layer has the same colors with dashes, and more layers form a ramp from dark to
 * light.
 *
 * <p>docs/decisions.md explains why the charts are drawn by hand.
 */
@Internal
@NullMarked
package org.saevhadoop.converters.stats;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
