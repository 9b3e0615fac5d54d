package org.saevhadoop.converters.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlan.RemovedFiles;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;

/** The report of a command that was called with {@code --dry-run}. */
public final class PlanReport {
  public static final String OPTION = "--dry-run";

  /** The help of the option. */
  public static final String HELP =
      "Check and print what would be done; write nothing. A command that would be refused fails as"
          + " it does without this option.";

  private static final String UNTIL_STAGED = "size unknown until staged";
  private static final String UNTIL_WRITTEN = "size unknown until written";

  private PlanReport() {}

  private record Plans(List<RunPlan> datasets) {}

  /** Prints the plan of a verb that writes at most one dataset, and returns the exit code. */
  public static int print(Prepared<?> verb, boolean json, Console console)
      throws IOException, InterruptedException {
    RunPlan plan = verb.describe().get(0);
    return print(List.of(plan), json ? plan : null, console);
  }

  /** Prints the plans of all datasets that one command would write, and returns the exit code. */
  static int printAll(List<RunPlan> plans, boolean json, Console console) throws IOException {
    return print(plans, json ? new Plans(plans) : null, console);
  }

  private static int print(List<RunPlan> plans, @Nullable Record object, Console console)
      throws IOException {
    if (object == null) {
      plans.forEach(plan -> print(plan, console.out()));
      if (plans.size() > 1) {
        line(console.out(), "total", total(plans));
      }
    } else {
      JsonOutput.print(object, console.out());
    }
    console.out().flush();
    return 0;
  }

  private static void print(RunPlan plan, PrintWriter out) {
    boolean staged = plan.plan().equals(RunPlan.STAGED);
    line(out, "plan", plan.plan() + ", " + Quote.sentence("%d tasks", plan.tasks()));
    line(out, "reads", ByteSizes.show(plan.bytesRead()) + (staged ? " to stage the source" : ""));
    if (plan.files() == null || plan.files() > 0) {
      line(out, "writes", written(plan, staged));
    }
    for (TemporaryBytes folder : plan.temporary()) {
      line(
          out,
          "temporary",
          "%s: %s, %s"
              .formatted(
                  Quote.show(folder.path()),
                  bytes(folder.bytes(), staged),
                  shown(folder.free(), free -> ByteSizes.show(free) + " free", "free unknown")));
    }
    for (RemovedFiles folder : plan.removes()) {
      String files = Quote.sentence(" (%d files)", folder.files());
      line(out, "removes", Quote.show(folder.path()) + files);
    }
    plan.losses().forEach(loss -> line(out, "loses", Quote.show(loss)));
    plan.changes().forEach(change -> line(out, "changes", Quote.show(change)));
  }

  private static String written(RunPlan plan, boolean staged) {
    String files = shown(plan.files(), count -> Quote.sentence("%d files", count), "files");
    return files
        + ", "
        + bytes(plan.bytesWritten(), staged)
        + (plan.path() == null ? "" : ", to " + Quote.show(plan.path()));
  }

  /**
   * Returns the totals over all datasets; no total is computed if one of its numbers is not known
   * yet.
   */
  private static String total(List<RunPlan> plans) {
    return "%s, reads %s, writes %s, %s"
        .formatted(
            Quote.sentence("%d datasets", plans.size()),
            ByteSizes.show(plans.stream().mapToLong(RunPlan::bytesRead).sum()),
            shown(sum(plans, RunPlan::files), count -> Quote.sentence("%d files", count), "files"),
            bytes(sum(plans, RunPlan::bytesWritten), false));
  }

  /** Returns the sum over all plans; null if the number of any plan is not known. */
  private static @Nullable Long sum(List<RunPlan> plans, Function<RunPlan, @Nullable Long> number) {
    List<@Nullable Long> numbers = plans.stream().map(number).toList();
    return numbers.contains(null) ? null : numbers.stream().mapToLong(Long::longValue).sum();
  }

  private static String bytes(@Nullable Long bytes, boolean staged) {
    return shown(bytes, ByteSizes::show, staged ? UNTIL_STAGED : UNTIL_WRITTEN);
  }

  private static String shown(@Nullable Long number, Function<Long, String> text, String unknown) {
    return number == null ? unknown : text.apply(number);
  }

  private static void line(PrintWriter out, String name, String text) {
    out.printf("%-10s %s%n", name, text);
  }
}
